//! What a release file is, from its name; and which of a release's files fits a machine, with reasons that a person can read.
//!
//! Three questions, each a pure function of names:
//!
//! - [`classify()`]: what is this file? For any project's naming, in an open vocabulary.
//! - [`pick()`]: which of these files fits this host, why that one, and why not the others?
//! - [`contract_platform`]: what is this file by the family's own naming scheme, in the contract's closed vocabulary?
//!
//! ```
//! use asset_names::{BuildArch, BuildOs, Hints, Host, Policy, classify, pick};
//!
//! let build = classify("tool_1.4.0_Darwin_arm64.tar.gz", &Hints::NONE);
//! assert_eq!(build.os.known(), Some(BuildOs::Macos));
//! assert_eq!(build.arch.known(), Some(BuildArch::Arm64));
//!
//! let assets = ["tool-linux-arm64.AppImage", "tool-linux-x86_64.tar.gz", "checksums.txt"];
//! let picked = pick(assets, &Host::new(BuildOs::Linux, BuildArch::X64), Policy::PerUser, &Hints::app("tool"));
//! assert_eq!(picked.asset(), Some("tool-linux-x86_64.tar.gz"));
//! print!("{picked}");
//! ```
//!
//! # How a name is read
//!
//! A name is cut into words (runs of letters and digits) and a word counts only whole: `darwin` holds no `win`, `1.64.0` no `64`.
//! What is glued together is cut only where each piece is a known word (`linuxarm64`, `macos11`) or where upper case begins one
//! (`ToolWin64`). Where they are given, the app's name and the version are taken out first. The last ending is the file's own.
//! Then, for each thing, the rightmost place that names it counts: `win-tool-ubuntu-x64` is for Linux. Two meanings side by side
//! contradict each other, and the reading says so instead of choosing; see [`Reading`] and [`Doubt`]. Time is linear, nothing is
//! allocated, and no more than the last 256 bytes are read.
//!
//! # Vocabulary
//!
//! The words of [`BuildOs`], [`BuildArch`], [`BuildKind`] and [`BuildLibc`] are open: there will be more, and who reads them
//! ignores what it doesn't know. Where the contract's closed lists ([`feed_types::Platform`]) have a word for the same thing it is
//! the same word, but for `appimage` and `appimage_zsync` (the contract's `app_image` and `app_image_zsync`); `closed()` and `From`
//! go from one to the other, and [`Build::to_wire`] gives what an answer says of a file.
//!
//! | What              | Rule                                                                                                           |
//! |-------------------|----------------------------------------------------------------------------------------------------------------|
//! | os                | Named, or what the ending belongs to (`.msi`, `.dmg`, `.deb`); a distribution is `linux`.                      |
//! | arch              | Named, never guessed. Absent also where it doesn't matter (`_all.deb`, `noarch`).                              |
//! | arch, ARM         | `armhf`, `armv7*`, `armeabi-v7a` are `armv7`; bare `arm` is `arm`, on macOS `arm64`.                           |
//! | arch, widths      | `linux64`, `win-32`, `64-bit` mean x86's; `win32` alone means nothing, since it may mean either.               |
//! | arch, macOS       | `all`, and x64 beside arm64, are `universal`; `Apple` and `Intel` are read where the system is macOS.          |
//! | libc              | Linux only, where named: `gnu`, `gnueabihf`, `glibc`, `manylinux`; `musl`, `musleabihf`, `musllinux`, `alpine`. |
//! | sidecars, source  | No os, arch or libc, whatever the name repeats of its subject. `appimage_zsync` keeps them.                    |
//! | `portable_zip`    | A Windows ZIP archive whose name says `portable`.                                                              |
//! | `cli_zip`, `web_zip` | Only in the family's own scheme.                                                                            |
//! | `exe`             | Any `.exe`, installer or not.                                                                                  |
//! | `tar_gz`, `tar_xz`, `tar_zst` | Also `.tgz`, `.txz`, `.tzst`.                                                                      |
//! | `apk`             | Android's. Alpine's (it names Linux, or uses Alpine's or Go's words) is `other`, os `linux`.                   |
//! | `other`           | Bare executables, single compressed files, `.tar.bz2`, `.7z`, `.rar`, `.jar`, `.nupkg`, `.msix`, `.pacman` …   |
//!
//! What a name can't tell an operator can: a [`BuildOverride`] says what the files are that a pattern matches.

mod build;
mod build_override;
mod classify;
mod contract;
mod family;
mod format;
mod pick;
mod vocabulary;
mod wire;

pub use build::{Build, Doubt, Doubts, Reading, Role};
pub use build_override::{BuildOverride, OverrideError, OverrideWords};
pub use classify::{Hints, classify};
pub use contract::{contract_platform, is_listable_name};
pub use family::{Family, UnknownFamily};
pub use pick::{Host, Pick, PickDoubt, Policy, Preferred, Rule, UnknownPolicy, Verdict, Why, pick};
pub use vocabulary::{BuildArch, BuildKind, BuildLibc, BuildOs, UnknownBuildWord};
