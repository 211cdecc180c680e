//! The body of `GET /rate_limit`.

use serde_json::{Value, json};

use crate::rate_limit::RateView;

/// The limits of the resources that every caller sees; all but the first are untouched.
pub(crate) fn of(core: RateView, authorised: bool) -> Value {
  let untouched = |limit: u32, resource: &str| json!({ "limit": limit, "used": 0, "remaining": limit, "reset": core.reset, "resource": resource });
  let of_core = json!({
    "limit": core.limit, "used": core.used, "remaining": core.remaining, "reset": core.reset, "resource": "core",
  });
  json!({
    "resources": {
      "core": of_core,
      "search": untouched(if authorised { 30 } else { 10 }, "search"),
      "graphql": untouched(if authorised { 5000 } else { 0 }, "graphql"),
    },
    "rate": of_core,
  })
}
