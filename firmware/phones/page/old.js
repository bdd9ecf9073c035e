// Says that a browser is too old, where the page's own script cannot run. Written so that any browser can read it.

(function () {
  var page = document.documentElement;

  function say() {
    if (!page.hasAttribute("data-runs")) page.className = "old";
  }

  // An error may be that of a script which others have put into the page: then the page's own runs all the same.
  window.onerror = window.onunhandledrejection = function () {
    setTimeout(say, 3000);
  };
  if (!("noModule" in document.createElement("script")) || !window.WebSocket) say();
})();
