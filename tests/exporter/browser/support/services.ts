import { type IntegrationName } from "../../../../exporter/src/read/settings/integration-table.js";

export interface FakeService {
    /** In `docs.json`. */
    readonly settings: object;
    /** The address of the script that pages load. */
    readonly script: string;
    /** The address to which the service's script sends events. */
    readonly receiver: string;
    /**
     * A replacement for the service's script, with the same public functions; `report` sends a name and data to the
     * receiver.
     */
    readonly program: string;
    /**
     * The event that is sent when a code block is copied or, for a service without events, the first report.
     */
    readonly event: string;
}

const copied = "docs.code_block.copy";
const ofDataLayer = "const use = (entry) => report(entry[0] === 'event' ? entry[1] : entry.event ?? entry[0]);";
const readDataLayer = `${ofDataLayer} window.dataLayer.forEach(use); window.dataLayer.push = use;`;

/** Every service of the table, with a replacement for its script. */
export const services: Readonly<Record<IntegrationName, FakeService>> = {
    ga4: {
        settings: { measurementId: "G-1" },
        script: "https://www.googletagmanager.com/gtag/js?id=G-1",
        receiver: "https://region1.google-analytics.com/g/collect",
        program: readDataLayer,
        event: "docs_code_block_copy",
    },
    gtm: {
        settings: { tagId: "GTM-1" },
        script: "https://www.googletagmanager.com/gtm.js?id=GTM-1",
        receiver: "https://www.google-analytics.com/g/collect",
        program: readDataLayer,
        event: copied,
    },
    plausible: {
        settings: { domain: "docs.example.com", server: "stats.example.org" },
        script: "https://stats.example.org/js/script.js",
        receiver: "https://stats.example.org/api/event",
        program:
            "if (document.currentScript.dataset.domain !== 'docs.example.com') throw new Error('no domain');" +
            "window.plausible = (name, { props }) => report(name, props); report('pageview');",
        event: copied,
    },
    posthog: {
        settings: { apiKey: "phc_1", apiHost: "https://eu.i.posthog.com" },
        script: "https://eu-assets.i.posthog.com/static/array.js",
        receiver: "https://eu.i.posthog.com/e/",
        program:
            "window.posthog = { init(key, { api_host: host, disable_session_recording: off }) { report('init ' + key + host + off); }, capture: report };",
        event: copied,
    },
    segment: {
        settings: { key: "seg1" },
        script: "https://cdn.segment.com/analytics.js/v1/seg1/analytics.min.js",
        receiver: "https://api.segment.io/v1/t",
        program:
            "const queue = window.analytics; window.analytics = { page: () => report('page'), track: report };" +
            "queue.forEach(([method, ...rest]) => window.analytics[method](...rest));",
        event: copied,
    },
    mixpanel: {
        settings: { projectToken: "mx1" },
        script: "https://cdn.mxpnl.com/libs/mixpanel-2-latest.min.js",
        receiver: "https://api-js.mixpanel.com/track/",
        program:
            "if (window.mixpanel.__SV < 1.1 || window.mixpanel._i[0][0] !== 'mx1') throw new Error('no stub');" +
            "window.mixpanel = { track: report };",
        event: copied,
    },
    amplitude: {
        settings: { apiKey: "amp1" },
        script: "https://cdn.amplitude.com/script/amp1.js",
        receiver: "https://api2.amplitude.com/2/httpapi",
        program: "window.amplitude = { init(key) { report('init ' + key); }, track: report };",
        event: copied,
    },
    fathom: {
        settings: { siteId: "FATHOM" },
        script: "https://cdn.usefathom.com/script.js",
        receiver: "https://cdn.usefathom.com/",
        program:
            "const { site } = document.currentScript.dataset; window.fathom = { trackEvent: report }; report('view ' + site);",
        event: copied,
    },
    pirsch: {
        settings: { id: "pir1" },
        script: "https://api.pirsch.io/pa.js",
        receiver: "https://api.pirsch.io/event",
        program:
            "if (document.querySelector('#pianjs').dataset.code !== 'pir1') throw new Error('no code');" +
            "window.pirsch = (name, { meta }) => report(name, meta);",
        event: copied,
    },
    clarity: {
        settings: { projectId: "cla1" },
        script: "https://www.clarity.ms/tag/cla1",
        receiver: "https://k.clarity.ms/collect",
        program: "window.clarity = (method, name) => report(name);",
        event: copied,
    },
    hotjar: {
        settings: { hjid: 12, hjsv: 6 },
        script: "https://static.hotjar.com/c/hotjar-12.js?sv=6",
        receiver: "https://metrics.hotjar.io/",
        program:
            "if (window._hjSettings.hjid !== 12) throw new Error('no id'); window.hj = (method, name) => report(name);",
        event: copied,
    },
    heap: {
        settings: { appId: "34" },
        script: "https://cdn.heapanalytics.com/js/heap-34.js",
        receiver: "https://heapanalytics.com/h",
        program: "if (window.heap.appid !== '34') throw new Error('no id'); window.heap = { track: report };",
        event: copied,
    },
    logrocket: {
        settings: { appId: "acme/docs" },
        script: "https://cdn.lr-in-prod.com/LogRocket.min.js",
        receiver: "https://r.lr-in-prod.com/i",
        program: "window.LogRocket = { init(id) { report('init ' + id); }, track: report };",
        event: copied,
    },
    matomo: {
        settings: { siteId: 7, server: "https://stats.example.org/matomo/" },
        script: "https://stats.example.org/matomo/matomo.js",
        receiver: "https://stats.example.org/matomo/matomo.php",
        program:
            "const use = ([method, , name]) => report(name ?? method); window._paq.forEach(use); window._paq.push = use;",
        event: copied,
    },
    umami: {
        settings: { websiteId: "b59e9c65-ae32-47f1-8400-119fcf4861c4" },
        script: "https://cloud.umami.is/script.js",
        receiver: "https://api-gateway.umami.dev/api/send",
        program: "window.umami = { track: report }; report('view ' + document.currentScript.dataset.websiteId);",
        event: copied,
    },
    intercom: {
        settings: { appId: "int1" },
        script: "https://widget.intercom.io/widget/int1",
        receiver: "https://api-iam.intercom.io/messenger",
        program: "report('boot ' + window.intercomSettings.app_id);",
        event: "boot int1",
    },
    frontchat: {
        settings: { snippetId: "fro1" },
        script: "https://chat-assets.frontapp.com/v1/chat.bundle.js",
        receiver: "https://chat.frontapp.com/session",
        program: "window.FrontChat = (method, { chatId }) => report(method + ' ' + chatId);",
        event: "init fro1",
    },
};
