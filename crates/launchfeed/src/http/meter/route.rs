//! What was asked for, as one of few words: a path is anybody's to choose, and must not become a label.

/// What was asked for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Route {
  /// The whole answer.
  ReleaseInfo,
  /// One app's answer.
  App,
  /// A link to a file.
  Download,
  /// The document of the routes.
  OpenApi,
  /// The page for people.
  Docs,
  /// Anything else, which there mostly isn't.
  Other,
}

/// Every route that there is, as its description names it.
const PATTERNS: [(&str, Route); 8] = [
  ("/v1/craft_apps/release_info", Route::ReleaseInfo),
  ("/v1/release_info", Route::ReleaseInfo),
  ("/v1/craft_apps/release_info/{app_key}", Route::App),
  ("/v1/release_info/{app_key}", Route::App),
  ("/download/{app_key}/{os}/{arch}", Route::Download),
  ("/download/{app_key}/{os}/{arch}/{package_type}", Route::Download),
  ("/openapi.json", Route::OpenApi),
  ("/docs", Route::Docs),
];

impl Route {
  /// Every one, in its order.
  pub const ALL: [Self; 6] = [
    Self::ReleaseInfo,
    Self::App,
    Self::Download,
    Self::OpenApi,
    Self::Docs,
    Self::Other,
  ];

  /// The word for it.
  pub fn as_str(self) -> &'static str {
    match self {
      Self::ReleaseInfo => "release_info",
      Self::App => "app",
      Self::Download => "download",
      Self::OpenApi => "openapi",
      Self::Docs => "docs",
      Self::Other => "other",
    }
  }

  /// Which one a path leads to.
  pub fn of_path(path: &str) -> Self {
    found(path).map_or(Self::Other, |(_, route)| route)
  }

  /// How the description names what a path leads to, if that is anything.
  pub(in crate::http) fn pattern_of(path: &str) -> Option<&'static str> {
    found(path).map(|(pattern, _)| pattern)
  }
}

fn found(path: &str) -> Option<(&'static str, Route)> {
  PATTERNS.into_iter().find(|(pattern, _)| matches(pattern, path))
}

/// Whether a path is one of a pattern's; `{name}` stands for any one part that isn't empty.
fn matches(pattern: &str, path: &str) -> bool {
  let (mut parts, mut path_parts) = (pattern.split('/'), path.split('/'));
  loop {
    match (parts.next(), path_parts.next()) {
      (None, None) => return true,
      (Some(part), Some(given)) if part == given || (part.starts_with('{') && !given.is_empty()) => {}
      _ => return false,
    }
  }
}

#[cfg(test)]
mod tests {
  use std::collections::BTreeSet;

  use rstest::rstest;

  use super::*;
  use crate::http::api_document;

  #[test]
  fn every_documented_path_has_its_route_and_no_other_has() {
    let document = api_document();
    let documented: BTreeSet<&str> = document.paths.paths.keys().map(String::as_str).collect();
    let known: BTreeSet<&str> = PATTERNS.iter().map(|(pattern, _)| *pattern).collect();
    assert_eq!(known, documented);
  }

  #[test]
  fn each_stands_at_its_own_place() {
    for (place, route) in Route::ALL.iter().enumerate() {
      assert_eq!(*route as usize, place);
    }
  }

  #[rstest]
  #[case("/v1/craft_apps/release_info", Route::ReleaseInfo)]
  #[case("/v1/release_info/demo", Route::App)]
  #[case("/v1/release_info/no-such-app", Route::App)]
  #[case("/download/demo/linux/x64", Route::Download)]
  #[case("/download/demo/linux/x64/deb", Route::Download)]
  #[case("/docs", Route::Docs)]
  #[case("/v1/release_info/", Route::Other)]
  #[case("/download/demo/linux", Route::Other)]
  #[case("/download//linux/x64", Route::Other)]
  #[case("/", Route::Other)]
  #[case("*", Route::Other)]
  #[case("", Route::Other)]
  fn a_path_leads_where_the_routes_lead(#[case] path: &str, #[case] route: Route) {
    assert_eq!(Route::of_path(path), route);
  }

  #[test]
  fn a_path_of_eight_kilobytes_is_one_of_them_too() {
    assert_eq!(Route::of_path(&format!("/{}", "x".repeat(8_192))), Route::Other);
    assert_eq!(Route::of_path(&"/".repeat(8_192)), Route::Other);
    assert_eq!(
      Route::of_path(&format!("/v1/release_info/{}", "\"\n".repeat(4_096))),
      Route::App
    );
  }
}
