// Search in pages that are opened as files: from file:// browsers start no Worker, so a frame runs the worker's script.
// Material's offline plugin would load such a script, iframe-worker, from unpkg.com; it leaves that out for this file.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {  // Material's script asks for the first name
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc = "<!doctype html>";
      this.scope = new Promise((resolve, reject) => {
        frame.onload = () => {
          const scope = frame.contentWindow;
          scope.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
          const script = scope.document.createElement("script");
          script.src = url;
          script.onload = () => resolve(scope);
          script.onerror = reject;
          scope.document.head.append(script);
        };
      });
      document.body.append(frame);
    }
    postMessage(data) {
      this.scope.then((scope) => scope.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
