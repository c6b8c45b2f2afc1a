// Lets the browser save a file. Used by all pages that offer a download.
"use strict";
const saveFile = (name, type, contents) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([contents], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
