import { type BundleFacts } from "./bundle-facts.js";

const maxNames = 20;
const maxServices = 40;

/**
 * Matches names of hosts, which may begin with `*.`, and of menu options. Other names are not shown, because bundles
 * are untrusted.
 */
const name = /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?(?::\d{1,5})?$/i;

const sentData = new Set(["page views", "page views and events", "chats of readers", "the reader's consent"]);

/**
 * Describes the data that a bundle's pages send out of their deployment, such as `page views to plausible.example.com`:
 * one string for each receiver, without markup. Requests of "Try it" are excluded, because an API may be in the same
 * network.
 */
export function describeOutbound({ services, aiTools, embeds }: BundleFacts): string[] {
    const further = services.length - maxServices;
    return [
        ...services
            .slice(0, maxServices)
            .map(({ sends, hosts }) => `${sentData.has(sends) ? sends : "data of readers"} to ${listed(hosts)}`),
        ...(further > 0 ? [`data of readers to ${further} further services`] : []),
        ...(aiTools.length > 0 ? [`addresses of pages to the AI tools of the page menu: ${listed(aiTools)}`] : []),
        ...(embeds.length > 0 ? [`requests for pictures, frames, styles or fonts to ${listed(embeds)}`] : []),
    ];
}

/** Describes the requests that "Try it" sends from readers' browsers. The receiving APIs may be in the same network. */
export function describeApiRequests({ apiServers }: BundleFacts): string[] {
    return apiServers.length > 0 ? [`requests of Try it to ${listed(apiServers)}`] : [];
}

function listed(names: readonly string[]): string {
    const plain = names.slice(0, maxNames).filter((each) => name.test(each));
    const others = names.length - plain.length;
    const rest =
        others === 0 ? [] : [`${others} ${plain.length === 0 ? "" : "other "}${others === 1 ? "host" : "hosts"}`];
    return [...plain, ...rest].join(", ") || "unnamed hosts";
}
