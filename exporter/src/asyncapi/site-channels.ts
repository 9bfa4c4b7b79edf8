import { groupRoutes, type MadeGroup, type MadePages } from "../openapi/document/made-pages.js";
import { SiteDocuments, type SiteDocumentsOptions, withSource } from "../openapi/document/site-documents.js";
import { type SiteWarning } from "../problems/warnings.js";
import { type AsyncChannel, type AsyncDocument, readAsyncDocument, routeOfChannel } from "./async-document.js";

/** Finds channels in the site's AsyncAPI documents and makes pages for those that the navigation asks for. */
export class SiteChannels {
    readonly documents: SiteDocuments<AsyncDocument>;

    constructor(
        private readonly made: Pick<MadePages<AsyncChannel>, "routeOf">,
        options: SiteDocumentsOptions,
    ) {
        this.documents = new SiteDocuments({ name: "AsyncAPI", read: readAsyncDocument }, options);
    }

    /** Pages of everything in the documents, in groups by their tags. */
    all(sources: readonly string[], folder: string): MadeGroup[] {
        const channels = sources.flatMap((source) => this.documents.document(source)?.channels ?? []);
        const routeOf = (channel: AsyncChannel) => this.made.routeOf(channel, routeOfChannel(channel, folder));
        return groupRoutes(channels.map((channel) => [channel.tag, routeOf(channel)]));
    }

    /** A channel's name or its address, or one of them with the document before it: `asyncapi.yaml chat`. */
    find(wanted: string, page: string, notFound: () => SiteWarning): AsyncChannel | undefined {
        const { source, name } = withSource(wanted);
        const look = ({ channels }: AsyncDocument) =>
            channels.find((channel) => channel.name === name) ?? channels.find(({ address }) => address === name);
        return this.documents.find(look, { page, source, around: [] }, notFound);
    }
}
