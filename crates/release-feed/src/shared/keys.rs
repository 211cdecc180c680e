//! The names of what is shared. A store puts its prefix before each.

use std::time::Duration;

use crate::catalog::AppKey;

/// The hash that says until when nobody asks GitHub.
pub const BACKOFF_KEY: &str = "craftApps:releases:backoff";
/// How long the backoff's hash is kept after a write.
pub const BACKOFF_TTL: Duration = Duration::from_secs(24 * 60 * 60);
/// How long an app's hash is kept after a write.
pub const APP_TTL: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// The sorted set of instances, by the time (the store's, in milliseconds) at which each was last there. Ours alone.
pub const INSTANCES_KEY: &str = "launchfeed:releases:instances";
/// How long an instance counts as there after it was. Instances look every 30 s, so that three looks may be missed.
pub const INSTANCE_TTL: Duration = Duration::from_secs(120);
/// Where the keys of apps are announced whose release changed. Ours alone.
pub const CHANGES_CHANNEL: &str = "launchfeed:releases:changed";

/// A hash for each app with what belongs to its release beyond the contract. Ours alone.
pub(super) const NOTES_PREFIX: &str = "launchfeed:releases:app:";
/// A hash for each asker with its validators, by app. Ours alone.
pub(super) const ETAGS_PREFIX: &str = "launchfeed:releases:etags:";
/// Until when single apps are left alone. Ours alone.
pub(super) const WAITS_KEY: &str = "launchfeed:releases:waits";
/// How many requests GitHub leaves each token. Ours alone.
pub(super) const BUDGETS_KEY: &str = "launchfeed:releases:budgets";

/// Written and deleted by whoever looks whether things can be shared. Ours alone.
pub(super) const PROBE_KEY: &str = "launchfeed:releases:doctor";

const APP_PREFIX: &str = "craftApps:releases:app:";

/// The key of an app's hash.
pub fn app_key(app: &AppKey) -> String {
  format!("{APP_PREFIX}{app}")
}
