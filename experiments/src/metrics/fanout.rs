//! Combines several sinks.

use super::{MetricSink, TrainingProgress};
use std::io;

/// A sink that forwards every report to several others. If some of them fail, the remaining ones still receive the
/// report, and the first error is returned.
#[derive(Default)]
pub struct Fanout<'a>(Vec<Box<dyn MetricSink + 'a>>);

impl<'a> Fanout<'a> {
    /// Creates a fanout without any sinks.
    pub fn new() -> Fanout<'a> {
        Fanout::default()
    }

    /// Adds a sink, or a `&mut` reference to a sink that will be read afterwards.
    pub fn add(&mut self, sink: impl MetricSink + 'a) {
        self.0.push(Box::new(sink));
    }

    fn each(&mut self, mut report: impl FnMut(&mut dyn MetricSink) -> io::Result<()>) -> io::Result<()> {
        let mut first = Ok(());
        for sink in &mut self.0 {
            let result = report(sink.as_mut());
            first = first.and(result);
        }
        first
    }
}

impl MetricSink for Fanout<'_> {
    fn scalars(&mut self, progress: &TrainingProgress, values: &[(&str, f64)]) -> io::Result<()> {
        self.each(|sink| sink.scalars(progress, values))
    }

    fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.each(|sink| sink.text(name, text))
    }

    fn finish(&mut self) -> io::Result<()> {
        self.each(|sink| sink.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sink that counts its reports.
    #[derive(Default)]
    struct Counter(usize);

    impl MetricSink for Counter {
        fn scalars(&mut self, _: &TrainingProgress, _: &[(&str, f64)]) -> io::Result<()> {
            self.0 += 1;
            Ok(())
        }
    }

    /// A sink whose disk is full.
    struct Full(&'static str);

    impl MetricSink for Full {
        fn scalars(&mut self, _: &TrainingProgress, _: &[(&str, f64)]) -> io::Result<()> {
            Err(io::Error::new(io::ErrorKind::StorageFull, self.0))
        }
    }

    #[test]
    fn a_failing_sink_does_not_affect_the_others() {
        let mut counter = Counter::default();
        let mut sinks = Fanout::new();
        sinks.add(Full("first"));
        sinks.add(Full("second"));
        sinks.add(&mut counter);
        let error = sinks.scalars(&TrainingProgress::default(), &[("loss", 1.0)]).unwrap_err();
        assert_eq!(error.to_string(), "first");
        drop(sinks);
        assert_eq!(counter.0, 1);
    }
}
