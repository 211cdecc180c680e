//! The real program, as those who operate it see it: metrics, health and status.

#![expect(
  clippy::unwrap_used,
  reason = "the helpers of tests may panic like the tests themselves"
)]

mod addresses;
mod exposition;
mod health;
mod metrics;
mod prometheus;
mod scrapers;
mod stage;
mod status;
mod trouble_table;
