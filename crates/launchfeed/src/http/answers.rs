//! What the routes read.

use std::sync::Arc;

use release_feed::answer::Publication;
use release_feed::catalog::Catalog;

/// What every request is answered from. Clones share it.
#[derive(Clone, Debug)]
pub struct Answers {
  /// The current answers.
  pub publication: Publication,
  /// The family; what it says of misnamed files helps to choose a download.
  pub catalog: Arc<Catalog>,
}
