// Says that a browser is too old, where the page's own script cannot run. Written so that any browser can read it.

(function () {
  var page = document.documentElement;

  function say() {
    if (!page.getAttribute("data-runs")) page.className = "old";
  }

  window.onerror = window.onunhandledrejection = say;
  if (!("noModule" in document.createElement("script"))) say();
})();
