//! What scrapers read: everything that is declared in the one table, in the OpenMetrics text format.

mod exposition;
mod feed;
mod http;
mod process;
mod scraper;
mod table;

pub(super) use scraper::{OPEN_METRICS, Scraper};
