//! Which of GitHub's resources a path names.

use percent_encoding::percent_decode_str;

/// A resource that the stand-in knows about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Route {
  LatestRelease(Target),
  /// A page of its releases.
  Releases(Target),
  /// The release of a tag, decoded.
  ReleaseOfTag(Target, String),
  Repository(Target),
  /// What is left of the caller's limits.
  RateLimit,
  Unknown,
}

/// The repository, as the path names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
  /// `owner/name`, as asked.
  Name(String),
  Id(u64),
}

impl Route {
  /// Reads a path without its query.
  pub(crate) fn of(path: &str, api_prefix: &str) -> Self {
    let Some(path) = path.strip_prefix(api_prefix).and_then(|path| path.strip_prefix('/')) else {
      return Self::Unknown;
    };
    let segments: Vec<&str> = path.split('/').collect();
    let (target, rest) = match segments.as_slice() {
      ["repos", owner, name, rest @ ..] if !owner.is_empty() && !name.is_empty() => {
        (Target::Name(format!("{owner}/{name}")), rest)
      }
      ["rate_limit"] => return Self::RateLimit,
      ["repositories", id, rest @ ..] => match id.parse() {
        Ok(id) => (Target::Id(id), rest),
        Err(_) => return Self::Unknown,
      },
      _ => return Self::Unknown,
    };
    match rest {
      [] => Self::Repository(target),
      ["releases", "latest"] => Self::LatestRelease(target),
      ["releases"] => Self::Releases(target),
      // As on GitHub, slashes of a tag may also stand as they are.
      ["releases", "tags", tag @ ..] if tag.iter().any(|part| !part.is_empty()) => {
        let tag = tag.join("/");
        match percent_decode_str(&tag).decode_utf8() {
          Ok(tag) => Self::ReleaseOfTag(target, tag.into_owned()),
          Err(_) => Self::Unknown,
        }
      }
      _ => Self::Unknown,
    }
  }

  /// Whether it is about a repository's releases, for which answers can be scripted.
  pub(crate) fn is_of_releases(&self) -> bool {
    matches!(
      self,
      Self::LatestRelease(_) | Self::Releases(_) | Self::ReleaseOfTag(..)
    )
  }

  /// The repository that it is about.
  pub(crate) fn target(&self) -> Option<&Target> {
    match self {
      Self::LatestRelease(target)
      | Self::Releases(target)
      | Self::ReleaseOfTag(target, _)
      | Self::Repository(target) => Some(target),
      Self::RateLimit | Self::Unknown => None,
    }
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn the_latest_release_and_the_repository_are_known_by_name_and_by_id() {
    let name = || Target::Name("storytold/PhotoCraft".to_owned());
    assert_eq!(
      Route::of("/repos/storytold/PhotoCraft/releases/latest", ""),
      Route::LatestRelease(name())
    );
    assert_eq!(Route::of("/repos/storytold/PhotoCraft", ""), Route::Repository(name()));
    assert_eq!(
      Route::of("/repositories/7/releases/latest", ""),
      Route::LatestRelease(Target::Id(7))
    );
    assert_eq!(Route::of("/repositories/7", ""), Route::Repository(Target::Id(7)));
  }

  #[test]
  fn releases_are_known_as_a_list_and_by_their_tag() {
    let name = || Target::Name("a/b".to_owned());
    assert_eq!(Route::of("/repos/a/b/releases", ""), Route::Releases(name()));
    for (path, tag) in [
      ("v1", "v1"),
      ("flagd%2Fv0.4.4", "flagd/v0.4.4"),
      ("flagd/v0.4.4", "flagd/v0.4.4"),
      ("app%401", "app@1"),
      ("100%25", "100%"),
    ] {
      let route = Route::of(&format!("/repos/a/b/releases/tags/{path}"), "");
      assert_eq!(route, Route::ReleaseOfTag(name(), tag.to_owned()), "{path}");
    }
  }

  #[test]
  fn the_limits_have_a_path_of_their_own() {
    assert_eq!(Route::of("/rate_limit", ""), Route::RateLimit);
    assert_eq!(Route::of("/api/v3/rate_limit", "/api/v3"), Route::RateLimit);
    assert_eq!(Route::of("/rate_limit/", ""), Route::Unknown);
  }

  #[test]
  fn everything_else_is_unknown() {
    let paths = [
      "",
      "/",
      "/repos",
      "/repos/a",
      "/repos//b",
      "/repos/a/b/",
      "/repos/a/b/releases/",
      "/repos/a/b/releases/tags",
      "/repos/a/b/releases/tags/",
      "/repos/a/b/releases/tags/%FF",
      "/repos/a/b/releases/latest/",
      "/repositories/x",
      "/user",
      "repos/a/b",
    ];
    for path in paths {
      assert_eq!(Route::of(path, ""), Route::Unknown, "{path}");
    }
  }

  #[test]
  fn with_a_prefix_only_paths_below_it_are_known() {
    let route = Route::of("/api/v3/repos/a/b", "/api/v3");
    assert_eq!(route, Route::Repository(Target::Name("a/b".to_owned())));
    assert_eq!(Route::of("/repos/a/b", "/api/v3"), Route::Unknown);
    assert_eq!(Route::of("/api/v3repos/a/b", "/api/v3"), Route::Unknown);
  }
}
