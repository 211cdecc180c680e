//! Reading JSON piece by piece, without a tree of the whole: of an object the texts of the fields that are wanted, of an array
//! those of its items. What is in them is read afterwards, each by itself, so that one of the wrong type costs itself alone.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::value::RawValue;
use serde_json::{Error, from_str};

/// The texts of an object's fields, in the order of the names that were asked for. Of a field that stands twice the last counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'t, const N: usize>([Option<&'t RawValue>; N]);

impl<'t, const N: usize> Fields<'t, N> {
  /// Looks through the whole text.
  ///
  /// # Errors
  ///
  /// A data error where it is JSON of another kind, any other where it is no JSON.
  pub(super) fn of(text: &'t str, names: &[&str; N]) -> Result<Self, Error> {
    whole(text, FieldsSeed(names)).map(Self)
  }

  /// The value of the field at that place; `None` where it is absent or of another type.
  ///
  /// # Errors
  ///
  /// When it is broken as JSON, such as half a surrogate.
  pub(super) fn read<T: Deserialize<'t>>(&self, place: usize) -> Result<Option<T>, Error> {
    self.text(place).map_or(Ok(None), |text| lenient(from_str(text)))
  }

  /// The texts of the items of the field at that place; none where it is no array.
  pub(super) fn items(&self, place: usize, most: usize) -> Result<Vec<&'t str>, Error> {
    let items = self.text(place).map_or(Ok(None), |text| lenient(items(text, most)));
    Ok(items?.map(|(_, items)| items).unwrap_or_default())
  }

  fn text(&self, place: usize) -> Option<&'t str> {
    self.0.get(place).copied().flatten().map(RawValue::get)
  }
}

/// How many items an array has, and the texts of the first ones.
///
/// # Errors
///
/// A data error where it is JSON of another kind, any other where it is no JSON.
pub(super) fn items(text: &str, most: usize) -> Result<(usize, Vec<&str>), Error> {
  whole(
    text,
    ItemsSeed {
      most,
      text: PhantomData,
    },
  )
}

/// A type that isn't the expected one is no error.
pub(super) fn lenient<T>(read: Result<T, Error>) -> Result<Option<T>, Error> {
  match read {
    Ok(value) => Ok(Some(value)),
    Err(error) if error.is_data() => Ok(None),
    Err(error) => Err(error),
  }
}

fn whole<'t, S: DeserializeSeed<'t>>(text: &'t str, seed: S) -> Result<S::Value, Error> {
  let mut json = serde_json::Deserializer::from_str(text);
  let value = seed.deserialize(&mut json)?;
  json.end()?;
  Ok(value)
}

struct FieldsSeed<'n, const N: usize>(&'n [&'n str; N]);

impl<'t, const N: usize> DeserializeSeed<'t> for FieldsSeed<'_, N> {
  type Value = [Option<&'t RawValue>; N];

  fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<Self::Value, D::Error> {
    json.deserialize_any(self)
  }
}

impl<'t, const N: usize> Visitor<'t> for FieldsSeed<'_, N> {
  type Value = [Option<&'t RawValue>; N];

  fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("an object")
  }

  fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Self::Value, A::Error> {
    let mut texts = [None; N];
    while let Some(place) = map.next_key_seed(PlaceSeed(self.0))? {
      match place.and_then(|place| texts.get_mut(place)) {
        Some(text) => *text = Some(map.next_value()?),
        None => {
          map.next_value::<IgnoredAny>()?;
        }
      }
    }
    Ok(texts)
  }
}

/// Where a name stands among those that were asked for.
struct PlaceSeed<'n>(&'n [&'n str]);

impl<'t> DeserializeSeed<'t> for PlaceSeed<'_> {
  type Value = Option<usize>;

  fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<Self::Value, D::Error> {
    json.deserialize_str(self)
  }
}

impl Visitor<'_> for PlaceSeed<'_> {
  type Value = Option<usize>;

  fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("a field's name")
  }

  fn visit_str<E: de::Error>(self, name: &str) -> Result<Self::Value, E> {
    Ok(self.0.iter().position(|wanted| *wanted == name))
  }
}

struct ItemsSeed<'t> {
  most: usize,
  text: PhantomData<&'t str>,
}

impl<'t> DeserializeSeed<'t> for ItemsSeed<'t> {
  type Value = (usize, Vec<&'t str>);

  fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<Self::Value, D::Error> {
    json.deserialize_any(self)
  }
}

impl<'t> Visitor<'t> for ItemsSeed<'t> {
  type Value = (usize, Vec<&'t str>);

  fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("an array")
  }

  fn visit_seq<A: SeqAccess<'t>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
    let mut items = Vec::new();
    while items.len() < self.most {
      match seq.next_element::<&RawValue>()? {
        Some(item) => items.push(item.get()),
        None => return Ok((items.len(), items)),
      }
    }
    let mut count = items.len();
    while seq.next_element::<IgnoredAny>()?.is_some() {
      count = count.checked_add(1).ok_or_else(|| A::Error::custom("too many items"))?;
    }
    Ok((count, items))
  }
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[test]
  fn of_a_field_that_stands_twice_the_last_counts_also_when_its_name_is_escaped() {
    let fields = Fields::of(r#"{"a": 1, "b": [1], "\u0061": 2, "c": {"a": 3}}"#, &["a", "b"]).unwrap();
    assert_eq!(fields.read::<u64>(0).unwrap(), Some(2));
    assert_eq!(fields.read::<u64>(1).unwrap(), None);
    assert_eq!(fields.read::<u64>(2).unwrap(), None);
  }

  #[test]
  fn of_an_array_all_items_are_counted_and_the_first_are_read() {
    assert_eq!(items("[1, [2], {}, \"4\"]", 2).unwrap(), (4, vec!["1", "[2]"]));
    assert_eq!(items("[]", 2).unwrap(), (0, vec![]));
    assert_eq!(items("[1,2]", 2).unwrap(), (2, vec!["1", "2"]));
  }

  #[rstest]
  #[case("{}", true)]
  #[case("7", true)]
  #[case("null", true)]
  #[case("[1", false)]
  #[case("[1]]", false)]
  #[case("[1,]", false)]
  #[case("", false)]
  fn another_kind_is_told_from_no_json_at_all(#[case] text: &str, #[case] is_data: bool) {
    assert_eq!(items(text, 9).unwrap_err().is_data(), is_data);
  }
}
