//! The ending: how a file is packaged, or that it accompanies another one.
//!
//! The last ending is the file's own: `a.tar.gz.sha256.asc` is a signature. Endings are compared without case.

use super::key_table::{look_up, table};
use super::tokens::Text;
use crate::build::Role;
use crate::format::Format;
use crate::vocabulary::BuildKind;

/// What a name ends with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Ending {
  /// What it says.
  pub(super) says: Says,
  /// How many bytes of the name stand before it.
  pub(super) stem_len: usize,
}

/// What an ending says.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Says {
  /// How the file is packaged.
  Packed(Format),
  /// What it accompanies another file as; nothing else in the name matters.
  Sidecar(Role),
  /// Readable data: what sort is told by the words before.
  Data,
  /// A file of debug symbols.
  Symbols(Format),
  /// A patch from one build to another.
  Delta,
  /// Compressed: whether it is a tar archive is told by the ending before.
  Compressed(Compression),
  /// Nothing: there is no ending, or a part of a version or a platform stands in its place.
  Nothing,
}

/// How something is compressed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Compression {
  Gz,
  Xz,
  Zst,
  Other,
}

/// Reads the ending of `text`.
pub(super) fn read_ending(text: &Text<'_>) -> Ending {
  let name = text.lower();
  let Some((stem_len, ending)) = last_ending(name, name.len()) else {
    return Ending {
      says: Says::Nothing,
      stem_len: name.len(),
    };
  };
  match look_up(&ENDINGS, ending) {
    Some(Says::Compressed(compression)) => compressed(name, stem_len, compression),
    Some(Says::Sidecar(role)) => Ending {
      says: zsync_or(name, stem_len, ending, role),
      stem_len,
    },
    Some(says) => Ending { says, stem_len },
    None => Ending {
      says: unknown(ending),
      stem_len: name.len(),
    },
  }
}

/// `.tar.gz`, `.pkg.tar.zst` or a single file.
fn compressed(name: &[u8], stem_len: usize, compression: Compression) -> Ending {
  let Some((before_tar, b"tar")) = last_ending(name, stem_len) else {
    return Ending {
      says: Says::Packed(Format::Compressed),
      stem_len,
    };
  };
  if let Some((before_package, b"pkg")) = last_ending(name, before_tar) {
    return Ending {
      says: Says::Packed(Format::Pacman),
      stem_len: before_package,
    };
  }
  let format = match compression {
    Compression::Gz => Format::TarGz,
    Compression::Xz => Format::TarXz,
    Compression::Zst => Format::TarZst,
    Compression::Other => Format::TarOther,
  };
  Ending {
    says: Says::Packed(format),
    stem_len: before_tar,
  }
}

/// An AppImage's zsync file keeps its platform; those of other files are data about them.
fn zsync_or(name: &[u8], stem_len: usize, ending: &[u8], role: Role) -> Says {
  match last_ending(name, stem_len) {
    Some((_, b"appimage")) if ending == b"zsync" => Says::Packed(Format::AppImageZsync),
    _ => Says::Sidecar(role),
  }
}

/// An ending that isn't known: letters are some format, anything else is no ending at all.
fn unknown(ending: &[u8]) -> Says {
  let is_format = ending.len() <= LONGEST_UNKNOWN_ENDING
    && ending.first().is_some_and(u8::is_ascii_alphabetic)
    && ending.iter().all(u8::is_ascii_alphanumeric);
  if is_format && super::lexicon::meaning(ending).is_none() {
    Says::Packed(Format::Unusable)
  } else {
    Says::Nothing
  }
}

/// Longest run of letters after a point that is taken for an ending nobody knows, in bytes.
const LONGEST_UNKNOWN_ENDING: usize = 8;

/// What follows the last point of the first `length` bytes, and how many bytes stand before the point.
fn last_ending(name: &[u8], length: usize) -> Option<(usize, &[u8])> {
  let name = name.get(..length)?;
  let point = name.iter().rposition(|byte| *byte == b'.')?;
  Some((point, &name[point + 1..]))
}

static ENDINGS: [(u128, Says); 162] = table([
  // installable
  ("zip", Says::Packed(Format::Zip)),
  ("tgz", Says::Packed(Format::TarGz)),
  ("txz", Says::Packed(Format::TarXz)),
  ("tzst", Says::Packed(Format::TarZst)),
  ("tbz", Says::Packed(Format::TarOther)),
  ("tbz2", Says::Packed(Format::TarOther)),
  ("tlz", Says::Packed(Format::TarOther)),
  ("tar", Says::Packed(Format::TarOther)),
  ("7z", Says::Packed(Format::SevenZip)),
  ("rar", Says::Packed(Format::SevenZip)),
  ("gz", Says::Compressed(Compression::Gz)),
  ("xz", Says::Compressed(Compression::Xz)),
  ("zst", Says::Compressed(Compression::Zst)),
  ("bz2", Says::Compressed(Compression::Other)),
  ("bz", Says::Compressed(Compression::Other)),
  ("br", Says::Compressed(Compression::Other)),
  ("lz", Says::Compressed(Compression::Other)),
  ("lz4", Says::Compressed(Compression::Other)),
  ("lzma", Says::Compressed(Compression::Other)),
  ("z", Says::Compressed(Compression::Other)),
  ("exe", Says::Packed(Format::Exe)),
  ("msi", Says::Packed(Format::Msi)),
  ("msix", Says::Packed(Format::Msix)),
  ("msixbundle", Says::Packed(Format::Msix)),
  ("appx", Says::Packed(Format::Msix)),
  ("appxbundle", Says::Packed(Format::Msix)),
  ("nupkg", Says::Packed(Format::Nupkg)),
  ("dmg", Says::Packed(Format::Dmg)),
  ("pkg", Says::Packed(Format::Pkg)),
  ("mpkg", Says::Packed(Format::Pkg)),
  ("appimage", Says::Packed(Format::AppImage)),
  ("deb", Says::Packed(Format::Deb)),
  ("rpm", Says::Packed(Format::Rpm)),
  ("pacman", Says::Packed(Format::Pacman)),
  ("apk", Says::Packed(Format::Apk)),
  ("flatpak", Says::Packed(Format::Flatpak)),
  ("snap", Says::Packed(Format::Snap)),
  ("jar", Says::Packed(Format::Unusable)),
  ("ipa", Says::Packed(Format::Unusable)),
  ("sh", Says::Packed(Format::Unusable)),
  ("bin", Says::Packed(Format::Bare)),
  ("run", Says::Packed(Format::Bare)),
  // checksums
  ("sha1", Says::Sidecar(Role::Checksum)),
  ("sha224", Says::Sidecar(Role::Checksum)),
  ("sha256", Says::Sidecar(Role::Checksum)),
  ("sha384", Says::Sidecar(Role::Checksum)),
  ("sha512", Says::Sidecar(Role::Checksum)),
  ("sha3", Says::Sidecar(Role::Checksum)),
  ("sha1sum", Says::Sidecar(Role::Checksum)),
  ("sha256sum", Says::Sidecar(Role::Checksum)),
  ("sha256sums", Says::Sidecar(Role::Checksum)),
  ("sha384sum", Says::Sidecar(Role::Checksum)),
  ("sha512sum", Says::Sidecar(Role::Checksum)),
  ("sha512sums", Says::Sidecar(Role::Checksum)),
  ("shasum", Says::Sidecar(Role::Checksum)),
  ("shasums", Says::Sidecar(Role::Checksum)),
  ("shasum256", Says::Sidecar(Role::Checksum)),
  ("sha", Says::Sidecar(Role::Checksum)),
  ("md5", Says::Sidecar(Role::Checksum)),
  ("md5sum", Says::Sidecar(Role::Checksum)),
  ("md5sums", Says::Sidecar(Role::Checksum)),
  ("b2", Says::Sidecar(Role::Checksum)),
  ("b2sum", Says::Sidecar(Role::Checksum)),
  ("b3", Says::Sidecar(Role::Checksum)),
  ("b3sum", Says::Sidecar(Role::Checksum)),
  ("blake2", Says::Sidecar(Role::Checksum)),
  ("blake2b", Says::Sidecar(Role::Checksum)),
  ("blake3", Says::Sidecar(Role::Checksum)),
  ("checksum", Says::Sidecar(Role::Checksum)),
  ("checksums", Says::Sidecar(Role::Checksum)),
  ("crc32", Says::Sidecar(Role::Checksum)),
  ("digest", Says::Sidecar(Role::Checksum)),
  ("digests", Says::Sidecar(Role::Checksum)),
  ("hash", Says::Sidecar(Role::Checksum)),
  ("sfv", Says::Sidecar(Role::Checksum)),
  ("sum", Says::Sidecar(Role::Checksum)),
  ("sums", Says::Sidecar(Role::Checksum)),
  // signatures, keys and certificates
  ("asc", Says::Sidecar(Role::Signature)),
  ("sig", Says::Sidecar(Role::Signature)),
  ("sign", Says::Sidecar(Role::Signature)),
  ("signature", Says::Sidecar(Role::Signature)),
  ("gpg", Says::Sidecar(Role::Signature)),
  ("pgp", Says::Sidecar(Role::Signature)),
  ("minisig", Says::Sidecar(Role::Signature)),
  ("sigstore", Says::Sidecar(Role::Signature)),
  ("bundle", Says::Sidecar(Role::Signature)),
  ("pem", Says::Sidecar(Role::Signature)),
  ("crt", Says::Sidecar(Role::Signature)),
  ("cer", Says::Sidecar(Role::Signature)),
  ("cert", Says::Sidecar(Role::Signature)),
  ("p7s", Says::Sidecar(Role::Signature)),
  ("pub", Says::Sidecar(Role::Signature)),
  ("key", Says::Sidecar(Role::Signature)),
  ("ed25519", Says::Sidecar(Role::Signature)),
  // bills of materials
  ("sbom", Says::Sidecar(Role::Sbom)),
  ("spdx", Says::Sidecar(Role::Sbom)),
  ("cdx", Says::Sidecar(Role::Sbom)),
  ("cyclonedx", Says::Sidecar(Role::Sbom)),
  ("bom", Says::Sidecar(Role::Sbom)),
  // data about a release
  ("blockmap", Says::Sidecar(Role::Metadata)),
  ("zsync", Says::Sidecar(Role::Metadata)),
  ("provenance", Says::Sidecar(Role::Metadata)),
  ("prov", Says::Sidecar(Role::Metadata)),
  ("intoto", Says::Sidecar(Role::Metadata)),
  ("att", Says::Sidecar(Role::Metadata)),
  ("attestation", Says::Sidecar(Role::Metadata)),
  ("torrent", Says::Sidecar(Role::Metadata)),
  ("metalink", Says::Sidecar(Role::Metadata)),
  ("meta4", Says::Sidecar(Role::Metadata)),
  ("appinstaller", Says::Sidecar(Role::Metadata)),
  ("flatpakref", Says::Sidecar(Role::Metadata)),
  ("flatpakrepo", Says::Sidecar(Role::Metadata)),
  ("buildinfo", Says::Sidecar(Role::Metadata)),
  ("changes", Says::Sidecar(Role::Metadata)),
  ("desktop", Says::Sidecar(Role::Metadata)),
  ("plist", Says::Sidecar(Role::Metadata)),
  ("rb", Says::Sidecar(Role::Metadata)),
  ("nix", Says::Sidecar(Role::Metadata)),
  ("map", Says::Sidecar(Role::Metadata)),
  ("url", Says::Sidecar(Role::Metadata)),
  ("size", Says::Sidecar(Role::Metadata)),
  ("txt", Says::Data),
  ("text", Says::Data),
  ("json", Says::Data),
  ("json5", Says::Data),
  ("jsonl", Says::Data),
  ("xml", Says::Data),
  ("yml", Says::Data),
  ("yaml", Says::Data),
  ("toml", Says::Data),
  ("csv", Says::Data),
  ("tsv", Says::Data),
  ("md", Says::Data),
  ("rst", Says::Data),
  ("html", Says::Data),
  ("htm", Says::Data),
  ("log", Says::Data),
  ("ini", Says::Data),
  ("properties", Says::Data),
  ("manifest", Says::Data),
  ("lock", Says::Data),
  ("repo", Says::Data),
  ("list", Says::Data),
  ("pdf", Says::Data),
  // source
  ("dsc", Says::Sidecar(Role::Source)),
  ("crate", Says::Packed(Format::Unusable)),
  // symbols and patches
  ("pdb", Says::Symbols(Format::Unusable)),
  ("debug", Says::Symbols(Format::Unusable)),
  ("dbg", Says::Symbols(Format::Unusable)),
  ("dwp", Says::Symbols(Format::Unusable)),
  ("sym", Says::Symbols(Format::Unusable)),
  ("dsym", Says::Symbols(Format::Unusable)),
  ("symbols", Says::Symbols(Format::Unusable)),
  ("snupkg", Says::Symbols(Format::Unusable)),
  ("ddeb", Says::Symbols(Format::Deb)),
  ("delta", Says::Delta),
  ("patch", Says::Delta),
  ("bsdiff", Says::Delta),
  ("xdelta", Says::Delta),
  ("xdelta3", Says::Delta),
  ("vcdiff", Says::Delta),
  ("zpatch", Says::Delta),
]);

impl Role {
  /// How a file of this role counts where its role is its kind.
  pub(super) fn sidecar_format(self) -> Format {
    match self {
      Role::Checksum => Format::Sidecar(BuildKind::Checksum),
      Role::Signature => Format::Sidecar(BuildKind::Signature),
      Role::Sbom => Format::Sidecar(BuildKind::Sbom),
      Role::Source => Format::Source,
      Role::Metadata => Format::Sidecar(BuildKind::Metadata),
      Role::Build | Role::Delta | Role::DebugSymbols | Role::Unknown => Format::Unusable,
    }
  }
}
