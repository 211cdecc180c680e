//! The pages of a repository's releases, as GitHub cuts and links them.

use serde_json::Value;

const PAGE_SIZE: usize = 30;
const MAX_PAGE_SIZE: usize = 100;

/// What a query asks for; what can't be read is as if it were left out.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Paging {
  per_page: usize,
  /// From 1.
  page: usize,
}

impl Paging {
  pub(crate) fn of(query: Option<&str>) -> Self {
    let number = |name: &str| -> Option<usize> {
      let pairs = query.unwrap_or_default().split('&');
      let value = pairs
        .filter_map(|pair| pair.split_once('='))
        .find(|(key, _)| *key == name)?
        .1;
      value.parse().ok().filter(|number| *number > 0)
    };
    Self {
      per_page: number("per_page").unwrap_or(PAGE_SIZE).min(MAX_PAGE_SIZE),
      page: number("page").unwrap_or(1),
    }
  }

  /// The page, which is empty beyond the last.
  pub(crate) fn cut<'r>(self, releases: &[&'r Value]) -> Vec<&'r Value> {
    let before = (self.page - 1).saturating_mul(self.per_page);
    releases.iter().skip(before).take(self.per_page).copied().collect()
  }

  /// The `Link` header: none where one page holds all.
  pub(crate) fn links(self, releases: usize, address: &str) -> Option<String> {
    let last = releases.div_ceil(self.per_page).max(1);
    let mut links = Vec::new();
    let mut link = |page: usize, relation: &str| {
      links.push(format!(
        "<{address}?per_page={}&page={page}>; rel=\"{relation}\"",
        self.per_page
      ));
    };
    if self.page > 1 {
      link((self.page - 1).min(last), "prev");
    }
    if self.page < last {
      link(self.page + 1, "next");
      link(last, "last");
    }
    if self.page > 1 {
      link(1, "first");
    }
    (!links.is_empty()).then(|| links.join(", "))
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn thirty_are_on_a_page_and_a_hundred_at_most() {
    let sizes = [
      None,
      Some("per_page=7&page=2"),
      Some("page=3&per_page=1000"),
      Some("per_page=0&page=x"),
    ];
    let read = sizes.map(|query| {
      let Paging { per_page, page } = Paging::of(query);
      (per_page, page)
    });
    assert_eq!(read, [(30, 1), (7, 2), (100, 3), (30, 1)]);
  }

  #[test]
  fn pages_are_linked_forwards_and_backwards() {
    let links = |page: usize, releases: usize| Paging { per_page: 2, page }.links(releases, "https://api");
    assert_eq!(links(1, 2), None);
    let first = "<https://api?per_page=2&page=2>; rel=\"next\", <https://api?per_page=2&page=3>; rel=\"last\"";
    assert_eq!(links(1, 5).as_deref(), Some(first));
    let last = "<https://api?per_page=2&page=2>; rel=\"prev\", <https://api?per_page=2&page=1>; rel=\"first\"";
    assert_eq!(links(3, 5).as_deref(), Some(last));
  }
}
