//! One line of a checksum file, as `sha256sum`, `shasum`, BSD's `sha256` and `openssl` write it.

/// SHA-256 in hexadecimal digits.
const DIGITS: usize = 64;
/// Names of the algorithm in lines that begin with it.
const TAGS: [&str; 2] = ["SHA256", "SHA2-256"];
/// Begins a line in which backslashes and line ends of the name are escaped.
const ESCAPED: char = '\\';
/// Before the name of a file that was read as binary.
const BINARY: char = '*';

/// A digest and whose it is.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Line {
  /// 64 digits, lowercase.
  pub(super) digest: String,
  /// The file's name as it is written; none for a digest that stands alone.
  pub(super) name: Option<String>,
}

/// Reads a line without its end. Lines that say something else, or the digest of another algorithm, are none.
pub(super) fn read_line(line: &str) -> Option<Line> {
  let line = line.trim_matches(|c: char| c.is_ascii_whitespace());
  let (line, is_escaped) = match line.strip_prefix(ESCAPED) {
    Some(rest) => (rest, true),
    None => (line, false),
  };
  let (digest, name) = tagged(line).or_else(|| digest_first(line))?;
  let name = match name {
    "" => None,
    name if is_escaped => Some(unescape(name)?),
    name => Some(name.to_owned()),
  };
  Some(Line { digest, name })
}

/// `SHA256 (name) = <digest>`; OpenSSL leaves the blanks before the bracket and the equals sign out.
fn tagged(line: &str) -> Option<(String, &str)> {
  let after_tag = TAGS.iter().find_map(|tag| line.strip_prefix(tag))?;
  let (name, digest) = after_tag.trim_start_matches(' ').strip_prefix('(')?.rsplit_once(')')?;
  let digest = digest.trim_start_matches(' ').strip_prefix('=')?;
  (!name.is_empty()).then_some((read_digest(digest.trim())?, name))
}

/// `<digest>  name`, `<digest> *name`, or the digest alone.
fn digest_first(line: &str) -> Option<(String, &str)> {
  let digest = read_digest(line.get(..DIGITS)?)?;
  let rest = &line[DIGITS..];
  if !rest.is_empty() && !rest.starts_with([' ', '\t']) {
    return None;
  }
  let name = rest.trim_start_matches([' ', '\t']);
  Some((digest, name.strip_prefix(BINARY).unwrap_or(name)))
}

fn read_digest(text: &str) -> Option<String> {
  let fits = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
  fits.then(|| text.to_ascii_lowercase())
}

fn unescape(name: &str) -> Option<String> {
  let mut plain = String::with_capacity(name.len());
  let mut chars = name.chars();
  while let Some(c) = chars.next() {
    plain.push(match c {
      '\\' => match chars.next()? {
        '\\' => '\\',
        'n' => '\n',
        'r' => '\r',
        _ => return None,
      },
      c => c,
    });
  }
  Some(plain)
}

#[cfg(test)]
mod tests {
  use proptest::prelude::*;
  use rstest::rstest;

  use super::*;

  const DIGEST: &str = "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9";

  #[rstest]
  #[case::text("{}  demo.deb", Some("demo.deb"))]
  #[case::binary("{} *demo.deb", Some("demo.deb"))]
  #[case::one_blank("{} demo.deb", Some("demo.deb"))]
  #[case::a_tab("{}\tdemo.deb", Some("demo.deb"))]
  #[case::windows_line_end("{}  demo.deb\r", Some("demo.deb"))]
  #[case::a_folder("{}  ./demo.deb", Some("./demo.deb"))]
  #[case::blanks_in_the_name("{}  my demo.deb", Some("my demo.deb"))]
  #[case::an_escaped_backslash("\\{}  a\\\\b", Some("a\\b"))]
  #[case::an_escaped_line_end("\\{} *a\\nb\\rc", Some("a\nb\rc"))]
  #[case::a_backslash_in_a_line_that_is_not_escaped("{}  a\\nb", Some("a\\nb"))]
  #[case::bsd("SHA256 (demo.deb) = {}", Some("demo.deb"))]
  #[case::bsd_with_brackets_in_the_name("SHA256 (demo (1).deb) = {}", Some("demo (1).deb"))]
  #[case::bsd_escaped("\\SHA256 (a\\\\b) = {}", Some("a\\b"))]
  #[case::openssl("SHA256(demo.deb)= {}", Some("demo.deb"))]
  #[case::newer_openssl("SHA2-256(demo.deb)= {}", Some("demo.deb"))]
  #[case::alone("{}", None)]
  #[case::alone_with_blanks(" {} ", None)]
  fn every_usual_form_is_read(#[case] form: &str, #[case] name: Option<&str>) {
    for digest in [DIGEST.to_owned(), DIGEST.to_ascii_uppercase()] {
      let line = read_line(&form.replace("{}", &digest));
      let expected = Line {
        digest: DIGEST.to_owned(),
        name: name.map(str::to_owned),
      };
      assert_eq!(line, Some(expected));
    }
  }

  #[rstest]
  #[case::nothing("")]
  #[case::words("Checksums of the release")]
  #[case::a_comment(&format!("# {DIGEST}  demo.deb"))]
  #[case::one_digit_less(&format!("{}  demo.deb", &DIGEST[1..]))]
  #[case::one_digit_more(&format!("{DIGEST}0  demo.deb"))]
  #[case::sha_1(&format!("{}  demo.deb", &DIGEST[..40]))]
  #[case::md5(&format!("{}  demo.deb", &DIGEST[..32]))]
  #[case::sha_512(&format!("{DIGEST}{DIGEST}  demo.deb"))]
  #[case::no_digits(&format!("{}  demo.deb", "g".repeat(64)))]
  #[case::letters_of_two_bytes(&"ä".repeat(64))]
  #[case::bsd_of_another_algorithm(&format!("SHA512 (demo.deb) = {DIGEST}"))]
  #[case::bsd_of_a_longer_digest(&format!("SHA256 (demo.deb) = {DIGEST}0"))]
  #[case::bsd_without_a_name(&format!("SHA256 () = {DIGEST}"))]
  #[case::bsd_without_an_equals_sign(&format!("SHA256 (demo.deb) {DIGEST}"))]
  #[case::the_digest_last(&format!("demo.deb  {DIGEST}"))]
  #[case::an_unknown_escape(&format!("\\{DIGEST}  a\\tb"))]
  #[case::a_backslash_at_the_end(&format!("\\{DIGEST}  a\\"))]
  fn anything_else_is_no_line(#[case] line: &str) {
    assert_eq!(read_line(line), None);
  }

  proptest! {
    #[test]
    fn no_text_panics(line in "\\PC{0,160}") {
      let _ = read_line(&line);
    }

    #[test]
    fn nothing_near_the_usual_forms_panics(line in "\\\\?(SHA256 ?\\()?[0-9a-fä]{60,66}[ *\\\\)(=]{0,3}.{0,8}( = [0-9a-f]{62,66})?") {
      let _ = read_line(&line);
    }
  }
}
