//! The Craft Apps family, which the product ships with.

use super::app_list::parse_app_list;
use super::family::Catalog;

/// In the form of `CRAFT_APPS_RELEASE_APPS`: key=Name=org/repo. The list is the contract's.
const CRAFT_APPS: &str = "\
photocraft=PhotoCraft=storytold/photocraft,\
vectorcraft=VectorCraft=storytold/vectorcraft,\
filmcraft=FilmCraft=storytold/filmcraft,\
lightcraft=LightCraft=storytold/lightcraft,\
pdfcraft=PdfCraft=storytold/pdfcraft,\
effectcraft=EffectCraft=storytold/effectcraft,\
designcraft=DesignCraft=storytold/designcraft,\
wordcraft=WordCraft=storytold/wordcraft,\
deckcraft=DeckCraft=storytold/deckcraft,\
gridcraft=GridCraft=storytold/gridcraft,\
cadcraft=CADCraft=storytold/cadcraft,\
soundcraft=SoundCraft=storytold/soundcraft,\
artcraft-launcher=ArtCraft Launcher=storytold/craft-launcher";

impl Catalog {
  /// The 13 Craft Apps.
  pub fn craft_apps() -> Self {
    let (catalog, skipped) = parse_app_list(CRAFT_APPS);
    debug_assert!(skipped.is_empty(), "{skipped:?}");
    catalog
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn the_built_in_family_is_the_contracts() {
    let catalog = Catalog::craft_apps();
    let listed: Vec<String> = catalog
      .apps()
      .map(|(key, app)| format!("{key} | {} | {}", app.name, app.repo))
      .collect();
    assert_eq!(
      listed,
      [
        "artcraft-launcher | ArtCraft Launcher | storytold/craft-launcher",
        "cadcraft | CADCraft | storytold/cadcraft",
        "deckcraft | DeckCraft | storytold/deckcraft",
        "designcraft | DesignCraft | storytold/designcraft",
        "effectcraft | EffectCraft | storytold/effectcraft",
        "filmcraft | FilmCraft | storytold/filmcraft",
        "gridcraft | GridCraft | storytold/gridcraft",
        "lightcraft | LightCraft | storytold/lightcraft",
        "pdfcraft | PdfCraft | storytold/pdfcraft",
        "photocraft | PhotoCraft | storytold/photocraft",
        "soundcraft | SoundCraft | storytold/soundcraft",
        "vectorcraft | VectorCraft | storytold/vectorcraft",
        "wordcraft | WordCraft | storytold/wordcraft",
      ]
    );
  }
}
