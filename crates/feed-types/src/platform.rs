//! The closed vocabularies of the contract: what a build is for.
//!
//! Deployed launchers refuse a whole answer that holds any other word in these places, so these lists never grow. What we know
//! of a file beyond them goes into open fields beside `platform`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a build runs on and how it is packaged. The words are closed lists, which never grow.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Platform {
  /// The operating system, or `web`.
  pub os: Os,
  /// The processor; `null` for web builds.
  #[cfg_attr(feature = "openapi", schema(required))]
  pub arch: Option<Arch>,
  /// How the build is packaged.
  pub package_type: PackageType,
}

/// A word that a closed vocabulary does not hold.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct UnknownWord;

impl fmt::Display for UnknownWord {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("not a word of this closed vocabulary")
  }
}

impl std::error::Error for UnknownWord {}

macro_rules! closed_vocabulary {
  (#[doc = $about:literal] $name:ident { $($(#[$word_about:meta])* $variant:ident = $word:literal,)+ }) => {
    #[doc = $about]
    #[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
    pub enum $name {
      $($(#[$word_about])* #[serde(rename = $word)] $variant,)+
    }

    impl $name {
      /// Every word, in the contract's order.
      pub const ALL: &[Self] = &[$(Self::$variant),+];

      /// The word as the answer writes it.
      pub const fn as_str(self) -> &'static str {
        match self { $(Self::$variant => $word),+ }
      }
    }

    #[cfg(feature = "openapi")]
    impl utoipa::PartialSchema for $name {
      // By hand: the derive doesn't see a word that comes out of a macro, and would write the variants' names.
      fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::ObjectBuilder::new()
          .schema_type(utoipa::openapi::Type::String)
          .description(Some($about.trim()))
          .enum_values(Some(Self::ALL.iter().map(|word| word.as_str())))
          .into()
      }
    }

    #[cfg(feature = "openapi")]
    impl utoipa::ToSchema for $name {}

    impl fmt::Display for $name {
      fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
      }
    }

    impl FromStr for $name {
      type Err = UnknownWord;

      fn from_str(text: &str) -> Result<Self, UnknownWord> {
        match text { $($word => Ok(Self::$variant),)+ _ => Err(UnknownWord) }
      }
    }
  };
}

closed_vocabulary! {
  /// The operating system a build runs on.
  Os {
    /// Microsoft Windows.
    Windows = "windows",
    /// Apple macOS.
    Macos = "macos",
    /// Any Linux distribution.
    Linux = "linux",
    /// FreeBSD.
    FreeBsd = "freebsd",
    /// Any browser.
    Web = "web",
  }
}

closed_vocabulary! {
  /// The processor a build is for.
  Arch {
    /// 64-bit x86 (x86-64, AMD64).
    X64 = "x64",
    /// 32-bit x86.
    X86 = "x86",
    /// 64-bit ARM (AArch64).
    Arm64 = "arm64",
    /// Both of Apple's, in one file.
    Universal = "universal",
  }
}

closed_vocabulary! {
  /// How a build is packaged.
  PackageType {
    /// Windows Installer package.
    Msi = "msi",
    /// Windows ZIP archive that runs without being installed.
    PortableZip = "portable_zip",
    /// Apple disk image.
    Dmg = "dmg",
    /// ZIP archive of the macOS command-line tools.
    CliZip = "cli_zip",
    /// AppImage.
    AppImage = "app_image",
    /// zsync control file of an AppImage.
    AppImageZsync = "app_image_zsync",
    /// Debian package.
    Deb = "deb",
    /// RPM package.
    Rpm = "rpm",
    /// Flatpak single-file bundle.
    Flatpak = "flatpak",
    /// gzip-compressed tar archive.
    TarGz = "tar_gz",
    /// ZIP archive of the web build.
    WebZip = "web_zip",
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn the_vocabularies_are_the_contracts() {
    let words = |all: &[&str]| all.join(" ");
    assert_eq!(
      words(&Os::ALL.iter().map(|word| word.as_str()).collect::<Vec<_>>()),
      "windows macos linux freebsd web"
    );
    assert_eq!(
      words(&Arch::ALL.iter().map(|word| word.as_str()).collect::<Vec<_>>()),
      "x64 x86 arm64 universal"
    );
    assert_eq!(
      words(&PackageType::ALL.iter().map(|word| word.as_str()).collect::<Vec<_>>()),
      "msi portable_zip dmg cli_zip app_image app_image_zsync deb rpm flatpak tar_gz web_zip"
    );
  }

  #[cfg(feature = "openapi")]
  #[test]
  fn the_schemas_hold_the_contracts_words() {
    use utoipa::PartialSchema;

    let words =
      |schema| serde_json::to_value::<utoipa::openapi::RefOr<utoipa::openapi::Schema>>(schema).unwrap()["enum"].take();
    let written = |all: &[&str]| serde_json::to_value(all).unwrap();
    let os: Vec<&str> = Os::ALL.iter().map(|word| word.as_str()).collect();
    let arch: Vec<&str> = Arch::ALL.iter().map(|word| word.as_str()).collect();
    let package_type: Vec<&str> = PackageType::ALL.iter().map(|word| word.as_str()).collect();
    assert_eq!(words(Os::schema()), written(&os));
    assert_eq!(words(Arch::schema()), written(&arch));
    assert_eq!(words(PackageType::schema()), written(&package_type));
  }

  #[test]
  fn each_word_is_written_and_read_as_itself() {
    for word in PackageType::ALL {
      assert_eq!(serde_json::to_value(word).unwrap(), word.as_str());
      assert_eq!(word.as_str().parse::<PackageType>(), Ok(*word));
    }
    assert_eq!("exe".parse::<PackageType>(), Err(UnknownWord));
    assert_eq!("Windows".parse::<Os>(), Err(UnknownWord));
    assert_eq!("riscv64".parse::<Arch>(), Err(UnknownWord));
  }
}
