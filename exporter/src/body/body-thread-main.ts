/** The program of a second thread, which renders the bodies of the pages that it is sent. */
import { workerData } from "node:worker_threads";
import { FoundFiles } from "../files/found-files.js";
import { Redirects } from "../links/redirects.js";
import { ModuleLoader } from "../script/module-loader.js";
import { type BodyAnswer, type BodyRequest, type BodyThreadData } from "./body-thread-message.js";
import { renderBody, type BodyContext, type NewBody } from "./render-body.js";

const { port, files, redirects, targets, icons, features, apiDisplay } = workerData as BodyThreadData;

const context: BodyContext = {
    modules: new ModuleLoader(new FoundFiles(files)),
    icons,
    targets: { ...targets, redirects: new Redirects(redirects) },
    features,
    apiDisplay,
};

port.on("message", (requests: readonly BodyRequest[]) => {
    port.postMessage(requests.map(({ number, page }): BodyAnswer => ({ number, body: bodyOf(page) })));
});

function bodyOf(page: BodyRequest["page"]): NewBody | undefined {
    try {
        return renderBody({ ...page, hasSource: true, operation: undefined, model: undefined }, context);
    } catch {
        // The page is rendered again where the reason can be told.
        return undefined;
    }
}
