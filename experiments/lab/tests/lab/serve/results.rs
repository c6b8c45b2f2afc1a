//! Reports, plots and learning curves.

use crate::common::root;
use crate::web::Server;
use std::collections::BTreeSet;
use std::time::Duration;

#[test]
fn reports_are_served_from_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    std::fs::create_dir_all(run.join("plots")).unwrap();
    std::fs::write(
        run.join("report.md"),
        "# A run\n\n<b>x</b> [x](javascript:alert(1))\n\n![regret](plots/regret.svg)\n",
    )
    .unwrap();
    std::fs::write(run.join("plots/regret.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>").unwrap();
    std::fs::write(run.join("provenance.json"), "{}").unwrap();
    let server = Server::start(&["--results", folder.path().to_str().unwrap()]);
    assert!(server.get("/results/").text().contains("<a href=\"/results/run/report.md\">A run</a>"));
    let report = server.get("/results/run/report.md").text();
    assert!(report.contains("<h1>A run</h1>") && report.contains("src=\"plots/regret.svg\""), "{report}");
    assert!(!report.contains("<b>") && !report.contains("javascript:"), "{report}");
    let plot = server.get("/results/run/plots/regret.svg");
    assert_eq!(plot.header("content-type").as_deref(), Some("image/svg+xml"));
    assert!(plot.header("content-security-policy").unwrap().contains("sandbox"));
    std::fs::write(run.join("later.md"), "x").unwrap();
    for path in [
        "/results/ru",
        "/results/run/../run",
        "/results/run/.git/config.json",
        "/results/run/later.md",
        "/results/../secret.md",
        "/results/%2e%2e/secret.md",
        "/results/run/../run/report.md",
        "/results//etc/passwd",
        "/assets/../style.css",
        "/assets/",
    ] {
        let answer = server.get(path);
        assert!(answer.status == 404 && answer.text().contains("no such page"), "{path}: {}", answer.status);
    }
    let data = server.get("/results/run/provenance.json");
    assert_eq!((data.status, data.text().as_str()), (200, "{}"));
    assert_eq!(data.header("content-type").as_deref(), Some("application/json"));
    assert_eq!(data.header("content-disposition").as_deref(), Some("inline; filename=\"provenance.json\""));
    std::fs::remove_file(run.join("report.md")).unwrap();
    assert!(server.get("/results/run/report.md").text().contains("cannot be read"));
}

/// Returns the addresses on this server that a page links to.
fn links(page: &str) -> Vec<String> {
    let targets = page.split(" href=\"").skip(1).filter_map(|part| Some(part.split_once('"')?.0.replace("&amp;", "&")));
    targets.filter(|target| !target.starts_with('#') && !target.contains(':')).collect()
}

/// Resolves a link in a page, as browsers do.
fn resolved(page: &str, target: &str) -> String {
    let target = target.split(['#', '?']).next().unwrap();
    let folder = page.rsplit_once('/').unwrap().0;
    let path = if target.starts_with('/') { target.to_owned() } else { format!("{folder}/{target}") };
    let mut parts: Vec<&str> = vec![];
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn every_link_of_every_report_resolves() {
    let server = Server::start(&["--results", root().join("results").to_str().unwrap()]);
    let index = server.get("/results").text();
    assert!(index.contains("<h1>Results</h1>"));
    let after =
        |title: &str| index.split(&format!("<h2>{title}</h2>")).nth(1).unwrap().split("</section>").next().unwrap();
    assert!(after("Learning agents").contains("/results/quick/report.md"));
    assert!(
        after("House ways").contains("/results/audit-trump-plaza/report.md")
            || after("House ways").contains("/results/search/player/report.md")
    );
    assert!(after("Equilibria").matches("<li>").count() >= 5);
    assert!(!index.contains("Your own runs"));
    let mut pages = vec!["/results/".to_owned()];
    let (mut seen, mut kinds) = (BTreeSet::new(), BTreeSet::new());
    while let Some(page) = pages.pop() {
        let answer = server.get(&page);
        assert_eq!(answer.status, 200, "{page}");
        kinds.extend(answer.header("content-disposition").map(|text| text.split(';').next().unwrap().to_owned()));
        if answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
            let found = links(&answer.text()).into_iter().map(|target| resolved(&page, &target));
            // The pages outside the results have tests of their own, but they must exist.
            let (inside, outside): (Vec<String>, Vec<String>) =
                found.filter(|path| seen.insert(path.clone())).partition(|path| path.starts_with("/results/"));
            for path in outside {
                assert_eq!(server.get(&path).status, 200, "{path} in {page}");
            }
            pages.extend(inside);
        }
    }
    assert!(seen.len() > 200, "{}", seen.len());
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["attachment", "inline"]);
}

#[test]
fn learning_curves_follow_a_training() {
    let folder = tempfile::tempdir().unwrap();
    let training = |seed: u32| folder.path().join(format!("run/train/agent-seed-{seed}"));
    std::fs::create_dir_all(training(1)).unwrap();
    let metrics = training(1).join("metrics.csv");
    let rows = "step,hands,name,value\n0,0,regret,0.25\n250,1000,loss,0.5\n250,1000,regret,0.01\n";
    std::fs::write(&metrics, rows).unwrap();
    std::fs::write(folder.path().join("run/config.toml"), "[train.agent]\nsteps = 1000\n").unwrap();
    std::fs::write(training(1).join("timing.csv"), "step,seconds\n0,0.5\n250,50\n").unwrap();
    // A run that is at work is locked. Its age says nothing, because evaluations take long.
    let lock = houseway_lab::run::FileLock::folder(&folder.path().join("run"), false).unwrap();
    let server = Server::start(&["--results", folder.path().to_str().unwrap()]);
    let list = server.get("/results/").text();
    assert!(
        list.contains(
            "<a href=\"/results/run/train/curves\">learning curves</a> <span>training runs: 1, running</span> run/train"
        ),
        "{list}"
    );
    let page = server.get("/results/run/train/curves");
    assert!(page.status == 200 && page.text().contains("curves/regret.svg?large=1"), "{}", page.text());
    let data = || server.get("/results/run/train/curves/data").json();
    let first = data();
    assert_eq!(first["metrics"], serde_json::json!(["regret", "loss"]));
    let expected = serde_json::json!({
        "name": "agent-seed-1", "step": 250, "hands": 1000, "settled": null, "rewards": null, "updates": null,
        "values": { "regret": 0.01, "loss": 0.5 }, "running": true,
        "progress": "250 of 1,000", "state": "running, about 3 min left",
    });
    assert_eq!(first["trainings"], serde_json::json!([expected]));
    let curve = || server.get("/results/run/train/curves/regret.svg");
    let before = curve();
    assert_eq!(before.header("content-type").as_deref(), Some("image/svg+xml"));
    assert!(before.header("content-security-policy").unwrap().contains("sandbox"));
    // The training continues, and another run starts.
    std::fs::write(&metrics, format!("{rows}500,2000,regret,0.005\n")).unwrap();
    assert_eq!(data()["trainings"][0]["step"], 500);
    assert_ne!(curve().text(), before.text());
    std::fs::create_dir_all(training(2)).unwrap();
    std::fs::write(training(2).join("metrics.csv"), rows).unwrap();
    std::thread::sleep(Duration::from_millis(1_200));
    assert_eq!(data()["trainings"].as_array().unwrap().len(), 2);
    assert_eq!(data()["trainings"][1]["running"], true);
    drop(lock);
    assert_eq!(
        (&data()["trainings"][1]["running"], &data()["trainings"][1]["state"]),
        (&false.into(), &"not running".into())
    );
    std::fs::write(&metrics, format!("{rows}1000,4000,regret,0.005\n")).unwrap();
    assert_eq!(data()["trainings"][0]["state"], "finished");
    assert!(server.get("/results/run/train/curves/regret.svg?large=1").text().contains("class=\"scroll large\""));
    for path in [
        "run/curves",
        "nope/curves",
        "run/train/curves/nope.svg",
        "run/train/curves/../x",
        "run/train/curves/metrics.csv",
        "run/train/curves/<b>.svg?large=1",
    ] {
        assert_eq!(server.get(&format!("/results/{path}")).status, 404, "{path}");
    }
}
