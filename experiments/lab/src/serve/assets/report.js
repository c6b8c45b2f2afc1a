// Saves a report with its plots and styles as a single file, and prints it.
"use strict";
(() => {
  const links = document.querySelector("nav.links"), article = document.querySelector("article");
  const encoded = async (source) => {
    const blob = await (await fetch(source)).blob();
    return new Promise((done, fail) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result);
      reader.onerror = () => fail(reader.error);
      reader.readAsDataURL(blob);
    });
  };
  const page = async () => {
    const copy = article.cloneNode(true);
    for (const image of copy.querySelectorAll("img")) image.src = await encoded(image.src);
    // Plots link to a page of the server, and all other links lead back to it.
    for (const plot of copy.querySelectorAll("a.plot")) plot.replaceWith(...plot.childNodes);
    for (const link of copy.querySelectorAll("a[href]")) if (!link.getAttribute("href").startsWith("#")) link.href = link.href;
    const style = await (await fetch("/assets/style.css")).text();
    return `<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n` +
      `<title>${document.title.replace(/[<&]/g, "")}</title>\n<style>${style}</style>\n<main>${copy.outerHTML}</main>\n</html>\n`;
  };
  const save = Dom.button("", async () => {
    save.disabled = true;
    try {
      const name = location.pathname.split("/").slice(2, -1).join("-") || "report";
      Dom.saveFile(`${name}.html`, "text/html", await page());
    } catch (error) {
      save.textContent = `Not saved: ${error.message}`;
    }
    save.disabled = false;
  }, "Save as one file");
  links.append(save, Dom.button("", () => print(), "Print"));
})();
