//! Files of releases, as GitHub's website hands them out: their address leads on to a signed one in a store.

use std::collections::HashMap;

use bytes::Bytes;

use crate::answer::Answer;

/// Where the bytes lie; on GitHub it is another host.
const STORE: &str = "/github-production-release-asset/";

/// All files that were set.
#[derive(Default)]
pub(crate) struct Downloads {
  /// By the path of their address, owner and name in lowercase.
  files: HashMap<String, File>,
  /// How many were ever set.
  count: usize,
}

struct File {
  number: usize,
  bytes: Bytes,
  /// Instead of the way to the store.
  scripted: Option<Answer>,
}

impl Downloads {
  pub(crate) fn set(&mut self, repo: &str, tag: &str, name: &str, bytes: Bytes) {
    self.insert(repo, tag, name, bytes, None);
  }

  pub(crate) fn script(&mut self, repo: &str, tag: &str, name: &str, answer: Answer) {
    self.insert(repo, tag, name, Bytes::new(), Some(answer));
  }

  fn insert(&mut self, repo: &str, tag: &str, name: &str, bytes: Bytes, scripted: Option<Answer>) {
    self.count += 1;
    let file = File {
      number: self.count,
      bytes,
      scripted,
    };
    self.files.insert(key(&path(repo, tag, name)), file);
  }

  pub(crate) fn remove(&mut self, repo: &str, tag: &str, name: &str) {
    self.files.remove(&key(&path(repo, tag, name)));
  }

  /// The answer at a path, where it is one of the website's or the store's for files.
  pub(crate) fn answer(&self, path: &str, web_url: &str) -> Option<Answer> {
    if let Some(rest) = path.strip_prefix(STORE) {
      let number = rest.parse::<usize>().ok();
      let file = self.files.values().find(|file| Some(file.number) == number);
      return Some(file.map_or_else(missing, |file| Answer::file(file.bytes.clone())));
    }
    if !is_download(path) {
      return None;
    }
    Some(match self.files.get(&key(path)) {
      None => missing(),
      Some(File {
        scripted: Some(answer), ..
      }) => answer.clone(),
      Some(File { number, .. }) => {
        let signed = format!("{web_url}{STORE}{number}?sp=r&sig=c2lnbmF0dXJl");
        Answer::file(Bytes::new()).with_status(302).header("location", signed)
      }
    })
  }
}

fn missing() -> Answer {
  Answer::file(Bytes::from_static(b"Not Found")).with_status(404)
}

fn path(repo: &str, tag: &str, name: &str) -> String {
  format!("/{repo}/releases/download/{tag}/{name}")
}

fn is_download(path: &str) -> bool {
  let segments: Vec<&str> = path.split('/').collect();
  matches!(segments.as_slice(), ["", _, _, "releases", "download", _, _, ..])
}

/// The path with owner and name in lowercase.
fn key(path: &str) -> String {
  let end = path.match_indices('/').nth(2).map_or(path.len(), |(at, _)| at);
  let (repo, rest) = path.split_at(end);
  repo.to_ascii_lowercase() + rest
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn a_files_address_leads_to_the_store_and_there_it_lies() {
    let mut downloads = Downloads::default();
    downloads.set("Acme/Demo", "v1", "SHA256SUMS", Bytes::from_static(b"x"));
    let answer = downloads
      .answer("/acme/demo/releases/download/v1/SHA256SUMS", "http://web")
      .unwrap();
    assert_eq!(answer.status, 302);
    let location = String::from_utf8(answer.headers["location"].clone().unwrap()).unwrap();
    let path = location.strip_prefix("http://web").unwrap();
    let (path, _) = path.split_once('?').unwrap();
    assert_eq!(downloads.answer(path, "http://web").unwrap().body, "x");
  }

  #[test]
  fn other_files_are_missing_and_other_paths_are_none_of_it() {
    let downloads = Downloads::default();
    let status = |path: &str| downloads.answer(path, "http://web").map(|answer| answer.status);
    assert_eq!(status("/acme/demo/releases/download/v1/x"), Some(404));
    assert_eq!(status("/github-production-release-asset/7"), Some(404));
    assert_eq!(status("/repos/acme/demo/releases/latest"), None);
    assert_eq!(status("/repos/acme/demo"), None);
  }
}
