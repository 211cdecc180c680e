//! `launchfeed pick`: the build that fits a machine.

use std::io;

use anyhow::Context;
use asset_names::{BuildArch, Pick, pick as pick_name};
use feed_types::AssetBuild;
use serde::Serialize;

use super::names_input::{name_lines, read_name};
use crate::cli::PickArgs;
use crate::outcome::{Failure, Outcome};
use crate::printer::{Field, Printer};

/// What is printed where nothing fits.
const NONE: &str = "NONE";

/// What a program reads of a pick.
#[derive(Serialize)]
struct PickReport<'a> {
  asset: Option<&'a str>,
  build: Option<AssetBuild>,
  why: WhyReport<'a>,
}

#[derive(Serialize)]
struct WhyReport<'a> {
  /// What makes the pick unsure.
  doubts: Vec<String>,
  /// What speaks against each other file.
  others: Vec<OtherReport<'a>>,
  /// What the release has builds for.
  offered: Vec<OfferReport>,
}

#[derive(Serialize)]
struct OtherReport<'a> {
  asset: &'a str,
  reason: String,
}

#[derive(Serialize)]
struct OfferReport {
  os: &'static str,
  arch: Option<&'static str>,
}

pub(crate) fn pick(args: &PickArgs, printer: &mut Printer) -> Result<Outcome, Failure> {
  let mut names = Vec::new();
  for line in name_lines(io::stdin().lock()) {
    let name = read_name(line, printer)?;
    if !name.is_empty() {
      names.push(name);
    }
  }
  let names = names.iter().map(String::as_str);
  let picked = pick_name(names, &args.host.host(), args.policy, &args.hints.hints());
  if args.json {
    let object = serde_json::to_string(&PickReport::of(&picked))
      .context("JSON")
      .map_err(Failure::Failed)?;
    printer.result(object)?;
  } else {
    printer.note(&picked);
    printer.result(Field(picked.asset().unwrap_or(NONE)))?;
  }
  printer.flush()?;
  Ok(Outcome::Done)
}

impl<'a> PickReport<'a> {
  fn of(pick: &Pick<'a>) -> Self {
    let (asset, build) = match pick {
      Pick::Picked { asset, build, .. } => (Some(*asset), build.to_wire()),
      Pick::Nothing { .. } => (None, None),
    };
    let why = pick.why();
    let other = |verdict: &asset_names::Verdict<'a>| OtherReport {
      asset: verdict.asset,
      reason: verdict.rule.to_string(),
    };
    Self {
      asset,
      build,
      why: WhyReport {
        doubts: why.doubts.iter().map(ToString::to_string).collect(),
        others: why.others.iter().map(other).collect(),
        offered: why
          .offered
          .iter()
          .map(|(os, arch)| OfferReport {
            os: os.as_str(),
            arch: arch.map(BuildArch::as_str),
          })
          .collect(),
      },
    }
  }
}
