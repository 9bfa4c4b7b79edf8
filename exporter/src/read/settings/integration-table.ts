/** The values in an integration's settings. */
export type Values = Readonly<Record<string, string>>;

/** A third-party service that pages load. */
interface Integration {
    readonly title: string;
    /** Analytics services receive events. Support services show a chat window. */
    readonly kind: "analytics" | "support";
    readonly required: readonly string[];
    readonly optional?: readonly string[];
    /** The names of the settings whose values are addresses of servers. */
    readonly servers?: Values;
    /** The origins of scripts that pages may run, and the origins to which pages may connect. */
    readonly hosts: (values: Values) => { readonly script: readonly string[]; readonly connect: readonly string[] };
    /** JavaScript with the settings as `s`; `load(address, attributes)` runs a script of the service. */
    readonly start: string;
    /** JavaScript that sends the event `name` with `data`. */
    readonly send?: string;
    /** Whether the service's own script reports the first view of a page. */
    readonly countsPages?: boolean;
}

const always = (script: string, connect: string) => () => ({
    script: script.split(" ").map((host) => `https://${host}`),
    connect: connect.split(" ").map((host) => (host.includes("://") ? host : `https://${host}`)),
});
const atServer = ({ server }: Values) => ({ script: [originOf(server)], connect: [originOf(server)] });

const originOf = (server = "") => new URL(server).origin;

/** Until the service's script runs, its object is a list that records calls. */
const trackOrQueue = (service: string) =>
    `${service}.track ? ${service}.track(name, data) : ${service}.push(["track", name, data]);`;

/** PostHog's cloud serves scripts from separate hosts. */
const postHogAssets = (host: string) => host.replace(".i.posthog.com", "-assets.i.posthog.com");

/** The integrations of `docs.json`, by their names in the settings. */
export const integrations = {
    ga4: {
        title: "Google Analytics",
        kind: "analytics",
        required: ["measurementId"],
        hosts: always(
            "www.googletagmanager.com",
            "www.googletagmanager.com *.google-analytics.com *.analytics.google.com",
        ),
        start:
            "window.dataLayer ??= []; window.gtag = function () { window.dataLayer.push(arguments); };" +
            'gtag("js", new Date()); gtag("config", s.measurementId);' +
            'load("https://www.googletagmanager.com/gtag/js?id=" + s.measurementId);',
        send: 'gtag("event", name.replaceAll(".", "_"), data);',
        countsPages: true,
    },
    gtm: {
        title: "Google Tag Manager",
        kind: "analytics",
        required: ["tagId"],
        hosts: always("www.googletagmanager.com", "www.googletagmanager.com *.google-analytics.com"),
        start:
            'window.dataLayer ??= []; window.dataLayer.push({ "gtm.start": Date.now(), event: "gtm.js" });' +
            'load("https://www.googletagmanager.com/gtm.js?id=" + s.tagId);',
        send: "window.dataLayer.push({ ...data, event: name });",
        countsPages: true,
    },
    plausible: {
        title: "Plausible",
        kind: "analytics",
        required: ["domain"],
        servers: { server: "https://plausible.io" },
        hosts: atServer,
        start:
            "window.plausible = function () { (window.plausible.q ??= []).push(arguments); };" +
            'load(s.server + "/js/script.js", { "data-domain": s.domain });',
        send: "window.plausible(name, { props: data });",
        countsPages: true,
    },
    posthog: {
        title: "PostHog",
        kind: "analytics",
        required: ["apiKey"],
        optional: ["sessionRecording"],
        servers: { apiHost: "https://us.i.posthog.com" },
        hosts: ({ apiHost = "" }) => ({
            script: [originOf(postHogAssets(apiHost))],
            connect: [originOf(apiHost), originOf(postHogAssets(apiHost))],
        }),
        start:
            'load(s.apiHost.replace(".i.posthog.com", "-assets.i.posthog.com") + "/static/array.js", {}, () =>' +
            "window.posthog.init(s.apiKey, { api_host: s.apiHost, autocapture: false," +
            'disable_session_recording: s.sessionRecording !== "true" }));',
        send: "window.posthog?.capture?.(name, data);",
        countsPages: true,
    },
    segment: {
        title: "Segment",
        kind: "analytics",
        required: ["key"],
        hosts: always("cdn.segment.com", "cdn.segment.com api.segment.io"),
        start:
            'window.analytics = [["page"]]; window.analytics._writeKey = s.key;' +
            'load("https://cdn.segment.com/analytics.js/v1/" + s.key + "/analytics.min.js");',
        send: trackOrQueue("window.analytics"),
        countsPages: true,
    },
    mixpanel: {
        title: "Mixpanel",
        kind: "analytics",
        required: ["projectToken"],
        hosts: always("cdn.mxpnl.com", "api-js.mixpanel.com api.mixpanel.com"),
        start:
            "const queue = []; Object.assign(queue, { people: [], __SV: 1.2, init() {} });" +
            'queue._i = [[s.projectToken, {}, "mixpanel"]]; window.mixpanel = queue;' +
            'load("https://cdn.mxpnl.com/libs/mixpanel-2-latest.min.js");',
        send: trackOrQueue("window.mixpanel"),
    },
    amplitude: {
        title: "Amplitude",
        kind: "analytics",
        required: ["apiKey"],
        hosts: always("cdn.amplitude.com", "api2.amplitude.com"),
        start:
            'load("https://cdn.amplitude.com/script/" + s.apiKey + ".js", {}, () =>' +
            "window.amplitude.init(s.apiKey, { autocapture: false, fetchRemoteConfig: false }));",
        send: "window.amplitude?.track?.(name, data);",
    },
    fathom: {
        title: "Fathom",
        kind: "analytics",
        required: ["siteId"],
        hosts: always("cdn.usefathom.com", "cdn.usefathom.com"),
        start: 'load("https://cdn.usefathom.com/script.js", { "data-site": s.siteId });',
        send: "window.fathom?.trackEvent?.(name);",
        countsPages: true,
    },
    pirsch: {
        title: "Pirsch",
        kind: "analytics",
        required: ["id"],
        hosts: always("api.pirsch.io", "api.pirsch.io"),
        start: 'load("https://api.pirsch.io/pa.js", { id: "pianjs", "data-code": s.id });',
        send: "window.pirsch?.(name, { meta: data });",
        countsPages: true,
    },
    clarity: {
        title: "Clarity",
        kind: "analytics",
        required: ["projectId"],
        hosts: always("www.clarity.ms scripts.clarity.ms", "*.clarity.ms"),
        start:
            "window.clarity = function () { (window.clarity.q ??= []).push(arguments); };" +
            'load("https://www.clarity.ms/tag/" + s.projectId);',
        send: 'window.clarity("event", name);',
        countsPages: true,
    },
    hotjar: {
        title: "Hotjar",
        kind: "analytics",
        required: ["hjid", "hjsv"],
        hosts: always("static.hotjar.com script.hotjar.com", "*.hotjar.com *.hotjar.io wss://*.hotjar.com"),
        start:
            "window.hj = function () { (window.hj.q ??= []).push(arguments); };" +
            "window._hjSettings = { hjid: Number(s.hjid), hjsv: Number(s.hjsv) };" +
            'load("https://static.hotjar.com/c/hotjar-" + s.hjid + ".js?sv=" + s.hjsv);',
        send: 'window.hj("event", name);',
        countsPages: true,
    },
    heap: {
        title: "Heap",
        kind: "analytics",
        required: ["appId"],
        hosts: always("cdn.heapanalytics.com", "heapanalytics.com"),
        start:
            "window.heap = Object.assign([], { appid: s.appId, config: {} });" +
            'load("https://cdn.heapanalytics.com/js/heap-" + s.appId + ".js");',
        send: trackOrQueue("window.heap"),
        countsPages: true,
    },
    logrocket: {
        title: "LogRocket",
        kind: "analytics",
        required: ["appId"],
        hosts: always("cdn.lr-in-prod.com", "*.lr-in-prod.com"),
        start: 'load("https://cdn.lr-in-prod.com/LogRocket.min.js", {}, () => window.LogRocket.init(s.appId));',
        send: "window.LogRocket?.track?.(name, data);",
    },
    matomo: {
        title: "Matomo",
        kind: "analytics",
        required: ["siteId", "server"],
        servers: { server: "" },
        hosts: atServer,
        start:
            'window._paq = [["setTrackerUrl", s.server + "/matomo.php"], ["setSiteId", s.siteId], ["trackPageView"]];' +
            'load(s.server + "/matomo.js");',
        send: 'window._paq.push(["trackEvent", "docs", name, JSON.stringify(data)]);',
        countsPages: true,
    },
    umami: {
        title: "Umami",
        kind: "analytics",
        required: ["websiteId"],
        servers: { server: "https://cloud.umami.is" },
        hosts: ({ server = "" }) => ({
            script: [originOf(server)],
            connect: [originOf(server), ...(server === "https://cloud.umami.is" ? ["https://*.umami.dev"] : [])],
        }),
        start: 'load(s.server + "/script.js", { "data-website-id": s.websiteId });',
        send: "window.umami?.track?.(name, data);",
        countsPages: true,
    },
    intercom: {
        title: "Intercom",
        kind: "support",
        required: ["appId"],
        hosts: always("widget.intercom.io js.intercomcdn.com", "*.intercom.io wss://*.intercom.io *.intercomcdn.com"),
        start:
            "window.Intercom = function () { (window.Intercom.q ??= []).push(arguments); };" +
            "window.intercomSettings = { app_id: s.appId };" +
            'load("https://widget.intercom.io/widget/" + s.appId);',
    },
    frontchat: {
        title: "Front Chat",
        kind: "support",
        required: ["snippetId"],
        hosts: always("chat-assets.frontapp.com", "*.frontapp.com wss://*.frontapp.com"),
        start:
            'load("https://chat-assets.frontapp.com/v1/chat.bundle.js", {}, () =>' +
            'window.FrontChat("init", { chatId: s.snippetId, useDefaultLauncher: true }));',
    },
} as const satisfies Readonly<Record<string, Integration>>;

export type IntegrationName = keyof typeof integrations;

/** The service with this name, with all its fields. */
export function integrationOf(name: IntegrationName): Integration {
    return integrations[name];
}
