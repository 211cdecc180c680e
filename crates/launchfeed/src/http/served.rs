//! Everything that the routes read.

use std::sync::Arc;

use axum::extract::FromRef;

use super::answers::Answers;
use super::pages::Pages;

/// What every route may ask for a part of. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct Served {
  pub(super) answers: Answers,
  pub(super) pages: Arc<Pages>,
}

impl FromRef<Served> for Answers {
  fn from_ref(served: &Served) -> Self {
    served.answers.clone()
  }
}

impl FromRef<Served> for Arc<Pages> {
  fn from_ref(served: &Served) -> Self {
    served.pages.clone()
  }
}
