//! The last good answer on disk, so that a restart with GitHub away serves it with its true, old times.

mod set_aside;
mod snapshot_data;
mod snapshot_file;
mod snapshot_store;
mod snapshot_writer;

pub use set_aside::SetAside;
pub use snapshot_data::{Restored, Snapshot};
pub use snapshot_file::{SnapshotError, decode, encode};
pub use snapshot_store::{SnapshotStore, StoreError};
pub use snapshot_writer::{SnapshotSender, SnapshotWriter, snapshot_channel};
