//! The classification itself.

use super::arch::{is_for_any_processor, read_arch, read_libc, read_min_glibc};
use super::combine::combine;
use super::endings::{Says, read_ending};
use super::hints::{Hints, take_out_app, take_out_version};
use super::lexicon::Word;
use super::os::read_os;
use super::sidecars::{is_delta, is_source, is_symbols, role_of_bare, role_of_data};
use super::tokens::{Text, Token, Tokens};
use crate::build::{AppFit, Build, Details, Doubt, Doubts, Reading, Role};
use crate::contract::contract_platform;
use crate::family::Family;
use crate::format::Format;
use crate::vocabulary::{BuildArch, BuildLibc, BuildOs};

/// What a name says of its file. Never fails: a name that says nothing has nothing known.
///
/// A name of the family's own scheme reads as [`contract_platform`] reads it.
///
/// ```
/// use asset_names::{Hints, classify};
///
/// let build = classify("tool-1.2.0-armv7-unknown-linux-gnueabihf.tar.gz", &Hints::app("tool"));
/// assert_eq!(build.os.known().unwrap().as_str(), "linux");
/// assert_eq!(build.arch.known().unwrap().as_str(), "armv7");
/// assert_eq!(build.kind.known().unwrap().as_str(), "tar_gz");
/// assert_eq!(build.libc.known().unwrap().as_str(), "gnu");
/// ```
pub fn classify(name: &str, hints: &Hints<'_>) -> Build {
  let mut build = read_name(name, hints);
  if let Some(platform) = contract_platform(name) {
    build.os = Reading::Known(platform.os.into());
    build.arch = platform.arch.map(BuildArch::from).into();
    build.kind = Reading::Known(platform.package_type.into());
    build.details.format = Format::of_kind(platform.package_type.into());
    build.doubts = Doubts::default();
    build.role = match build.role {
      Role::Delta | Role::DebugSymbols => build.role,
      _ => Role::Build,
    };
  }
  if let Some(said) = hints.overrides.iter().find(|said| said.matches(name)) {
    said.apply(&mut build);
  }
  build
}

fn read_name(name: &str, hints: &Hints<'_>) -> Build {
  let text = Text::of(name);
  let ending = read_ending(&text);
  if let Says::Sidecar(role) = ending.says {
    return sidecar(role);
  }
  let mut tokens = Tokens::of(&text, ending.stem_len);
  let has_app = hints.app.map(|app| take_out_app(&text, tokens.as_mut_slice(), app));
  if let Some(version) = hints.version {
    take_out_version(&text, tokens.as_mut_slice(), version);
  }
  tokens.understand(&text);
  combine(&text, tokens.as_mut_slice());
  let words = tokens.as_slice();
  match ending.says {
    Says::Data => sidecar(role_of_data(words)),
    Says::Packed(format) => packed(&text, words, format, has_app),
    Says::Symbols(format) => Build {
      role: Role::DebugSymbols,
      ..packed(&text, words, format, has_app)
    },
    Says::Delta => Build {
      role: Role::Delta,
      ..packed(&text, words, Format::Unusable, has_app)
    },
    Says::Nothing | Says::Sidecar(_) | Says::Compressed(_) => bare(&text, words, has_app),
  }
}

/// A file without an ending: an executable, unless its words say otherwise.
fn bare(text: &Text<'_>, tokens: &[Token], has_app: Option<bool>) -> Build {
  let build = packed(text, tokens, Format::Bare, has_app);
  if tokens.is_empty() {
    return Build {
      kind: Reading::Absent,
      role: Role::Unknown,
      ..build
    };
  }
  match role_of_bare(tokens) {
    Some(Role::Metadata) => sidecar(Role::Metadata),
    Some(role) if build.role == Role::Unknown => sidecar(role),
    _ => build,
  }
}

/// A file that is packaged in some way.
fn packed(text: &Text<'_>, tokens: &[Token], format: Format, has_app: Option<bool>) -> Build {
  let mut doubts = Doubts::default();
  let has = |word: Word| tokens.iter().any(|token| token.word == word);
  if text.is_cut {
    doubts.add(Doubt::CutShort);
  }
  let may_be_source = format.is_archive() || format == Format::Unusable;
  if may_be_source && is_source(text, tokens) || is_source_package(text, tokens, format) {
    return sidecar(Role::Source);
  }
  let format = apk_of(text, tokens, format, &mut doubts);
  let os = match format {
    Format::Nupkg if has(Word::Full) || has(Word::Delta) => Reading::Known(
      read_os(text, tokens, format, &mut doubts)
        .known()
        .unwrap_or(BuildOs::Windows),
    ),
    _ => read_os(text, tokens, format, &mut doubts),
  };
  let arch = read_arch(text, tokens, format, os.known(), &mut doubts);
  let libc = if os == Reading::Known(BuildOs::Linux) {
    read_libc(tokens, &mut doubts)
  } else {
    Reading::Absent
  };
  let format = match format {
    Format::Zip if os == Reading::Known(BuildOs::Windows) && has(Word::Portable) => Format::PortableZip,
    Format::Exe if has(Word::Setup) => Format::SetupExe,
    other => other,
  };
  Build {
    os,
    arch,
    kind: Reading::Known(format.kind()),
    libc,
    role: role_of(tokens, format, os, arch),
    doubts,
    details: Details {
      format,
      min_glibc: (libc != Reading::Absent)
        .then(|| read_min_glibc(text, tokens))
        .flatten(),
      family: tokens.iter().rev().find_map(family_of),
      any_processor: is_for_any_processor(tokens),
      is_static: has(Word::Static) || libc == Reading::Known(BuildLibc::Musl),
      is_debug: has(Word::Debug),
      is_windows_gnu: os == Reading::Known(BuildOs::Windows) && is_gnu_toolchain(text, tokens),
      is_foreign: has(Word::Locale { english: false }),
      is_portable: has(Word::Portable),
      app: app_fit(tokens, has_app),
      extras: u8::try_from(tokens.iter().filter(|token| token.word == Word::Unknown).count()).unwrap_or(u8::MAX),
    },
  }
}

/// What accompanies builds has no platform of its own.
fn sidecar(role: Role) -> Build {
  let format = role.sidecar_format();
  Build {
    os: Reading::Absent,
    arch: Reading::Absent,
    kind: Reading::Known(format.kind()),
    libc: Reading::Absent,
    role,
    doubts: Doubts::default(),
    details: Details {
      format,
      min_glibc: None,
      family: None,
      any_processor: false,
      is_static: false,
      is_debug: false,
      is_windows_gnu: false,
      is_foreign: false,
      is_portable: false,
      app: AppFit::NotAsked,
      extras: 0,
    },
  }
}

fn role_of(tokens: &[Token], format: Format, os: Reading<BuildOs>, arch: Reading<BuildArch>) -> Role {
  if is_symbols(tokens) {
    return Role::DebugSymbols;
  }
  match format {
    Format::AppImageZsync => Role::Delta,
    Format::Nupkg if is_delta(tokens) => Role::Delta,
    _ if os != Reading::Absent || arch != Reading::Absent => Role::Build,
    _ => Role::Unknown,
  }
}

/// Whose `.apk` it is. Alpine's say Linux, its own word for a processor (`amd64`, `armhf`; Android has `x86_64`, `armeabi-v7a`), or
/// a package release (`-r0`).
fn apk_of(text: &Text<'_>, tokens: &[Token], format: Format, doubts: &mut Doubts) -> Format {
  if format != Format::Apk {
    return format;
  }
  let is_alpines = |token: &Token| match token.word {
    Word::Os(BuildOs::Linux) | Word::Distro(_) | Word::Alpine | Word::Libc(_) | Word::NoArch => true,
    Word::Version => matches!(text.of_token(*token), [b'r', digits @ ..] if digits.iter().all(u8::is_ascii_digit)),
    Word::Arch(_) => matches!(
      text.of_token(*token),
      b"amd64" | b"386" | b"i386" | b"armhf" | b"armv6" | b"ppc64le" | b"s390x" | b"loong64" | b"loongarch64"
    ),
    _ => false,
  };
  if tokens.iter().any(|token| token.word == Word::Os(BuildOs::Android)) {
    return Format::Apk;
  }
  if tokens.iter().any(is_alpines) {
    return Format::AlpineApk;
  }
  if tokens
    .iter()
    .any(|token| matches!(text.of_token(*token), b"aarch64" | b"armv7"))
  {
    doubts.add(Doubt::WhoseApk);
  }
  Format::Apk
}

/// `.src.rpm`, and Debian's `.orig.tar.gz` and `.debian.tar.xz`.
fn is_source_package(text: &Text<'_>, tokens: &[Token], format: Format) -> bool {
  let Some(last) = tokens.last() else { return false };
  let is_ending = text.before(*last) == Some(b'.');
  match text.of_token(*last) {
    b"src" | b"nosrc" => is_ending && format == Format::Rpm,
    b"debian" => is_ending && format.is_archive(),
    _ => false,
  }
}

/// The distributions that a word names.
fn family_of(token: &Token) -> Option<Family> {
  match token.word {
    Word::Alpine => Some(Family::Alpine),
    Word::Distro(family) => Some(family),
    _ => None,
  }
}

/// `gnu` and `gnullvm` of a Windows target.
fn is_gnu_toolchain(text: &Text<'_>, tokens: &[Token]) -> bool {
  tokens
    .iter()
    .any(|token| token.word == Word::Libc(BuildLibc::Gnu) || text.of_token(*token) == b"gnullvm")
}

/// How the app's name stands in the name: alone before the version and the platform, or beside others.
fn app_fit(tokens: &[Token], has_app: Option<bool>) -> AppFit {
  let mut head = tokens
    .iter()
    .take_while(|token| matches!(token.word, Word::Unknown | Word::TakenOut | Word::Neutral));
  match has_app {
    None => AppFit::NotAsked,
    Some(true) if head.all(|token| token.word != Word::Unknown) => AppFit::Exact,
    Some(_) => AppFit::Other,
  }
}
