//! Renders marks as PNG and SVG with plotters.
//!
//! Plotters places everything on whole pixels. To compensate, bitmaps are drawn at a larger size and averaged down, and
//! SVG is drawn in quarter points. Text is positioned by its baseline so that both backends agree.

use super::sheet::{self, Anchor, FAMILY, FONT_HEIGHT, Mark, Sheet, Text, WHITE, font_style};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontTransform, RGBAColor};
use std::error::Error;

/// The number of pixels per point in the final bitmap.
const PIXELS: u32 = 2;
/// The oversampling factor in each direction.
const OVERSAMPLE: u32 = 2;
/// The number of SVG units per point.
const SVG_UNITS: u32 = 4;

type Drawn<T> = Result<T, Box<dyn Error + Send + Sync>>;

struct Metrics {
    scale: f64,
    /// The font size to request for letters of size 1.
    size: f64,
    /// The distance from the text position down to the baseline, for letters of size 1.
    base_line: f64,
}

pub fn png(sheet: &Sheet) -> Drawn<Vec<u8>> {
    let scale = PIXELS * OVERSAMPLE;
    let (width, height) = size(sheet, scale);
    let mut pixels = vec![0; (width * height * 3) as usize];
    let metrics = Metrics { scale: f64::from(scale), size: FONT_HEIGHT, base_line: FONT_HEIGHT / 2.0 };
    draw(sheet, BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area(), &metrics)?;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width / OVERSAMPLE, height / OVERSAMPLE);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Best);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&average(&pixels, width as usize))?;
    writer.finish()?;
    Ok(bytes)
}

pub fn svg(sheet: &Sheet) -> Drawn<String> {
    let (width, height) = size(sheet, SVG_UNITS);
    let mut text = String::new();
    // The backend divides sizes by 1.24 and puts the baseline 0.76 of the result below the top.
    let metrics = Metrics { scale: f64::from(SVG_UNITS), size: 1.24, base_line: 0.76 };
    draw(sheet, SVGBackend::with_string(&mut text, (width, height)).into_drawing_area(), &metrics)?;
    // The view box keeps the fine units, while the image size is in points. The fallback fonts have similar widths.
    let drawn = format!("<svg width=\"{width}\" height=\"{height}\"");
    let shown = format!("<svg width=\"{}\" height=\"{}\"", sheet.width, sheet.height);
    let family = format!("font-family=\"{FAMILY}\"");
    Ok(text.replacen(&drawn, &shown, 1).replace(&family, "font-family=\"DejaVu Sans, Verdana, sans-serif\""))
}

fn size(sheet: &Sheet, scale: u32) -> (u32, u32) {
    (sheet.width.ceil() as u32 * scale, sheet.height.ceil() as u32 * scale)
}

/// Scales a bitmap down to its final size by averaging squares of pixels.
fn average(pixels: &[u8], width: usize) -> Vec<u8> {
    let side = OVERSAMPLE as usize;
    let height = pixels.len() / 3 / width;
    let mut averaged = Vec::with_capacity(pixels.len() / side / side);
    for y in 0..height / side {
        for x in 0..width / side {
            for channel in 0..3 {
                let at = |i: usize| ((y * side + i / side) * width + x * side + i % side) * 3 + channel;
                let sum: usize = (0..side * side).map(|i| usize::from(pixels[at(i)])).sum();
                averaged.push(((sum + side * side / 2) / (side * side)) as u8);
            }
        }
    }
    averaged
}

fn draw<B: DrawingBackend>(sheet: &Sheet, area: DrawingArea<B, Shift>, metrics: &Metrics) -> Drawn<()>
where
    B::ErrorType: 'static,
{
    area.fill(&rgb(WHITE))?;
    let units = |points: &[(f64, f64)]| -> Vec<(i32, i32)> {
        let unit = |at: f64| (at * metrics.scale).round() as i32;
        points.iter().map(|&(x, y)| (unit(x), unit(y))).collect()
    };
    for mark in &sheet.marks {
        match mark {
            Mark::Line { points, color, width } => {
                let style = rgb(*color).stroke_width((width * metrics.scale).round().max(1.0) as u32);
                area.draw(&PathElement::new(units(points), style))?;
            }
            Mark::Area { points, color, opacity } => {
                area.draw(&Polygon::new(units(points), rgb(*color).mix(*opacity)))?;
            }
            Mark::Text(text) => draw_text(text, &area, metrics)?,
        }
    }
    area.present()?;
    Ok(())
}

fn draw_text<B: DrawingBackend>(text: &Text, area: &DrawingArea<B, Shift>, metrics: &Metrics) -> Drawn<()>
where
    B::ErrorType: 'static,
{
    let horizontal = match text.anchor {
        Anchor::Start => HPos::Left,
        Anchor::Middle => HPos::Center,
        Anchor::End => HPos::Right,
    };
    let font = (FAMILY, text.size * metrics.size * metrics.scale, font_style(text.bold)).into_font();
    let rise = text.size * metrics.base_line;
    let (transform, x, y) = match text.upright {
        false => (FontTransform::None, text.x, text.y - rise),
        true => (FontTransform::Rotate270, text.x - rise, text.y),
    };
    let color = rgb(text.color);
    let style = TextStyle::from(font.transform(transform)).color(&color).pos(Pos::new(horizontal, VPos::Top));
    area.draw_text(&text.text, &style, ((x * metrics.scale).round() as i32, (y * metrics.scale).round() as i32))?;
    Ok(())
}

fn rgb([red, green, blue]: sheet::Color) -> RGBAColor {
    RGBColor(red, green, blue).mix(1.0)
}
