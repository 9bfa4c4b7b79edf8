import { type MessagePort } from "node:worker_threads";
import { type Redirect } from "../settings/docs-config.js";
import { type FoundFile } from "../files/found-files.js";
import { type LinkTargets } from "../links/link-resolver.js";
import { type BodyContext, type BodySource, type NewBody } from "./render-body.js";

/** What the second thread is started with. */
export interface BodyThreadData extends Pick<BodyContext, "icons" | "features" | "apiDisplay"> {
    readonly port: MessagePort;
    /** The files that pages may import. */
    readonly files: ReadonlyMap<string, FoundFile>;
    readonly redirects: readonly Redirect[];
    readonly targets: Omit<LinkTargets, "redirects" | "onAsset">;
}

export interface BodyRequest {
    /** The page's place in the site. */
    readonly number: number;
    readonly page: Pick<BodySource, "file" | "route" | "source" | "meta">;
}

export interface BodyAnswer {
    readonly number: number;
    /** Undefined for a page that could not be rendered. */
    readonly body: NewBody | undefined;
}
