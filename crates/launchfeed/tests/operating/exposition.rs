//! Reads the OpenMetrics text format, and nothing that isn't exactly that.

use std::collections::{BTreeMap, BTreeSet};

use testkit::Server;

/// By the family's name.
pub(crate) type Families = BTreeMap<String, Family>;

#[derive(Debug, Default)]
pub(crate) struct Family {
  pub(crate) kind: String,
  pub(crate) help: String,
  pub(crate) unit: Option<String>,
  pub(crate) samples: Vec<Sample>,
}

#[derive(Debug)]
pub(crate) struct Sample {
  /// What follows the family's name: `_total`, `_bucket` …
  pub(crate) suffix: String,
  pub(crate) labels: BTreeMap<String, String>,
  pub(crate) value: f64,
}

/// Scrapes a server.
pub(crate) fn scrape(server: &Server) -> Families {
  let answer = server.admin_request("GET", "/metrics");
  assert_eq!(answer.status, 200);
  assert_eq!(
    answer.header("content-type"),
    Some("application/openmetrics-text; version=1.0.0; charset=utf-8")
  );
  read(&String::from_utf8(answer.body).unwrap())
}

/// The value of a sample; panics where there isn't exactly one.
pub(crate) fn value(families: &Families, family: &str, labels: &[(&str, &str)]) -> f64 {
  let has_all = |sample: &&Sample| {
    labels
      .iter()
      .all(|(name, value)| sample.labels.get(*name).is_some_and(|v| v == value))
  };
  let found: Vec<&Sample> = families[family].samples.iter().filter(has_all).collect();
  let [sample] = found[..] else {
    panic!("{family} {labels:?}: {found:?}")
  };
  sample.value
}

/// Reads a whole exposition; panics at whatever isn't allowed.
pub(crate) fn read(text: &str) -> Families {
  let body = text
    .strip_suffix("# EOF\n")
    .expect("the end is marked, and nothing follows it");
  let mut families = Families::new();
  let mut current = String::new();
  let mut series = BTreeSet::new();
  for line in body.split_terminator('\n') {
    assert!(!line.is_empty() && !line.contains('\r'), "{line:?}");
    if let Some(rest) = line.strip_prefix("# ") {
      let mut words = rest.splitn(3, ' ');
      let (what, name, rest) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
      if name != current {
        assert_eq!(what, "HELP", "each family begins with its help: {line}");
        assert!(is_name(name), "{name}");
        assert!(
          families.insert(name.to_owned(), Family::default()).is_none(),
          "{name} comes twice"
        );
        name.clone_into(&mut current);
      }
      let family = families.get_mut(&current).unwrap();
      assert!(family.samples.is_empty(), "{line} comes after samples");
      match what {
        "HELP" => rest.clone_into(&mut family.help),
        "TYPE" => rest.clone_into(&mut family.kind),
        "UNIT" => family.unit = Some(rest.to_owned()),
        _ => panic!("{line}"),
      }
    } else {
      let family = families.get_mut(&current).expect("a family comes before its samples");
      let sample = read_sample(line, &current);
      assert!(
        series.insert(line.rsplit_once(' ').unwrap().0.to_owned()),
        "{line} comes twice"
      );
      family.samples.push(sample);
    }
  }
  families.iter().for_each(|(name, family)| check(name, family));
  families
}

fn read_sample(line: &str, family: &str) -> Sample {
  let rest = line
    .strip_prefix(family)
    .unwrap_or_else(|| panic!("{line} isn't of {family}"));
  let (suffix, labels, value) = match rest.split_once('{') {
    Some((suffix, rest)) => {
      let (labels, rest) = read_labels(rest);
      (suffix, labels, rest.strip_prefix(' ').unwrap())
    }
    None => {
      let (suffix, value) = rest.split_once(' ').unwrap();
      (suffix, BTreeMap::new(), value)
    }
  };
  let value: f64 = value.parse().unwrap_or_else(|error| panic!("{error} in {line}"));
  assert!(value.is_finite() && value >= 0.0, "{line}");
  Sample {
    suffix: suffix.to_owned(),
    labels,
    value,
  }
}

/// Labels up to the closing brace, and what follows it.
fn read_labels(mut rest: &str) -> (BTreeMap<String, String>, &str) {
  let mut labels = BTreeMap::new();
  loop {
    let (name, quoted) = rest.split_once("=\"").unwrap();
    assert!(is_name(name), "{name}");
    let mut value = String::new();
    let mut chars = quoted.char_indices();
    let end = loop {
      match chars.next().unwrap() {
        (at, '"') => break at,
        (_, '\\') => match chars.next().unwrap().1 {
          'n' => value.push('\n'),
          c @ ('\\' | '"') => value.push(c),
          c => panic!("\\{c} is no escape"),
        },
        (_, c) => value.push(c),
      }
    };
    assert!(labels.insert(name.to_owned(), value).is_none(), "{name} comes twice");
    rest = &quoted[end + 1..];
    match rest.split_at(1) {
      ("}", rest) => return (labels, rest),
      (",", more) => rest = more,
      _ => panic!("{rest}"),
    }
  }
}

fn check(name: &str, family: &Family) {
  assert!(!family.help.is_empty(), "{name} has no help");
  if let Some(unit) = &family.unit {
    assert!(name.ends_with(&format!("_{unit}")), "{name} is in {unit}");
  }
  let suffixes: &[&str] = match family.kind.as_str() {
    "counter" => &["_total"],
    "gauge" => &[""],
    "info" => &["_info"],
    "histogram" => &["_sum", "_count", "_bucket"],
    kind => panic!("{name} is a {kind}"),
  };
  for sample in &family.samples {
    assert!(suffixes.contains(&sample.suffix.as_str()), "{name}{}", sample.suffix);
    assert!(family.kind != "info" || sample.value == 1.0, "{name}");
  }
  if family.kind == "histogram" {
    check_histogram(name, family);
  }
}

/// Buckets ascend, and the last one holds all.
fn check_histogram(name: &str, family: &Family) {
  let mut series: BTreeMap<Vec<(&String, &String)>, Vec<&Sample>> = BTreeMap::new();
  for sample in &family.samples {
    let labels = sample.labels.iter().filter(|(label, _)| *label != "le").collect();
    series.entry(labels).or_default().push(sample);
  }
  for samples in series.values() {
    let of = |suffix: &str| {
      samples
        .iter()
        .filter(|sample| sample.suffix == suffix)
        .copied()
        .collect::<Vec<_>>()
    };
    let (sums, counts, buckets) = (of("_sum"), of("_count"), of("_bucket"));
    assert_eq!((sums.len(), counts.len()), (1, 1), "{name}");
    let bounds: Vec<f64> = buckets
      .iter()
      .map(|bucket| bucket.labels["le"].parse().unwrap())
      .collect();
    assert!(bounds.is_sorted_by(|a, b| a < b), "{name}: {bounds:?}");
    assert!(buckets.is_sorted_by_key(|bucket| bucket.value), "{name}");
    let last = buckets.last().unwrap();
    assert_eq!(
      (last.labels["le"].as_str(), last.value),
      ("+Inf", counts[0].value),
      "{name}"
    );
  }
}

fn is_name(name: &str) -> bool {
  let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
  !name.is_empty() && name.bytes().all(is_allowed) && !name.as_bytes()[0].is_ascii_digit()
}

/// The reader itself: what is wrong in one place is refused.
mod strictness {
  use rstest::rstest;

  use super::read;

  const GOOD: &str = "# HELP a Help.\n# TYPE a counter\na_total{b=\"c\\\"\\n\"} 1\n# EOF\n";

  #[test]
  fn what_is_right_is_read() {
    let families = read(GOOD);
    assert_eq!(families["a"].samples[0].labels["b"], "c\"\n");
  }

  #[rstest]
  #[case::no_end("# EOF\n", "")]
  #[case::no_type("# TYPE a counter\n", "")]
  #[case::an_unknown_type("counter", "thing")]
  #[case::no_suffix("a_total", "a")]
  #[case::another_family("a_total", "b_total")]
  #[case::no_value("} 1", "}")]
  #[case::not_a_number("} 1", "} NaN")]
  #[case::an_open_label("\\n\"}", "\\n}")]
  #[case::an_unknown_escape("\\n", "\\x")]
  #[case::a_line_twice("# EOF", "a_total{b=\"c\\\"\\n\"} 2\n# EOF")]
  #[should_panic]
  fn what_is_wrong_is_refused(#[case] right: &str, #[case] wrong: &str) {
    assert!(GOOD.contains(right), "this case tests nothing");
    let text = GOOD.replace(right, wrong);
    if text != GOOD {
      read(&text);
    }
  }
}
