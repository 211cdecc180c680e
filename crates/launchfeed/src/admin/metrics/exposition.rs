//! Writing declared metrics.

use std::fmt;

use prometheus_client::encoding::{DescriptorEncoder, EncodeCounterValue, EncodeGaugeValue, MetricEncoder, NoLabelSet};
use prometheus_client::registry::Unit;
use release_feed::status::ReadDurations;

use super::table::{Kind, Metric};

/// What is written to.
pub(super) struct Exposition<'e>(pub(super) DescriptorEncoder<'e>);

/// A metric of which samples are written.
pub(super) struct Samples<'e> {
  encoder: MetricEncoder<'e>,
  metric: &'e Metric,
}

impl Exposition<'_> {
  /// Writes what a metric is, and its samples.
  pub(super) fn write(
    &mut self,
    metric: &Metric,
    samples: impl FnOnce(&mut Samples<'_>) -> fmt::Result,
  ) -> fmt::Result {
    let unit = metric.unit.map(|unit| Unit::Other(unit.to_owned()));
    let encoder = self
      .0
      .encode_descriptor(metric.stem(), metric.help, unit.as_ref(), metric.kind.into())?;
    samples(&mut Samples { encoder, metric })
  }

  /// A gauge without labels; nothing where the value isn't known.
  pub(super) fn gauge(&mut self, metric: &Metric, value: Option<impl EncodeGaugeValue>) -> fmt::Result {
    self.write(metric, |samples| {
      value.map_or(Ok(()), |value| samples.gauge(&[], value))
    })
  }

  /// A gauge that is 1 for one of some words.
  pub(super) fn one_of(&mut self, metric: &Metric, words: &[&str], current: &str) -> fmt::Result {
    self.write(metric, |samples| {
      words
        .iter()
        .try_for_each(|word| samples.gauge(&[word], u64::from(*word == current)))
    })
  }
}

impl Samples<'_> {
  pub(super) fn gauge(&mut self, labels: &[&str], value: impl EncodeGaugeValue) -> fmt::Result {
    debug_assert_eq!(self.metric.kind, Kind::Gauge);
    self.with(labels, |encoder| encoder.encode_gauge(&value))
  }

  pub(super) fn counter(&mut self, labels: &[&str], value: impl EncodeCounterValue) -> fmt::Result {
    debug_assert_eq!(self.metric.kind, Kind::Counter);
    self.with(labels, |encoder| {
      encoder.encode_counter::<NoLabelSet, _, f64>(&value, None)
    })
  }

  pub(super) fn histogram(&mut self, labels: &[&str], durations: &ReadDurations) -> fmt::Result {
    debug_assert_eq!(self.metric.kind, Kind::Histogram);
    self.with(labels, |encoder| {
      encoder.encode_histogram::<NoLabelSet>(durations.sum_secs, durations.count(), &durations.buckets, None)
    })
  }

  pub(super) fn info(&mut self, labels: &[&str]) -> fmt::Result {
    debug_assert_eq!(self.metric.kind, Kind::Info);
    let named = self.named(labels);
    self.encoder.encode_info(&named)
  }

  fn with(&mut self, labels: &[&str], encode: impl FnOnce(&mut MetricEncoder<'_>) -> fmt::Result) -> fmt::Result {
    if labels.is_empty() {
      return encode(&mut self.encoder);
    }
    let named = self.named(labels);
    encode(&mut self.encoder.encode_family(&named)?)
  }

  fn named<'l>(&self, values: &[&'l str]) -> Vec<(&'static str, &'l str)> {
    debug_assert_eq!(values.len(), self.metric.labels.len(), "{}", self.metric.name);
    self.metric.labels.iter().copied().zip(values.iter().copied()).collect()
  }
}
