const day = 86_400;

/** The rules of the settings that `BucketSite` and the command `publish` have in common. */
export const publishRules = {
    owner: { pattern: /^[^\p{C}"]{1,200}$/u, description: 'a name without quotes, such as "acme/production/docs"' },
    keep: { min: 0, max: 100 },
    cacheControl: { pattern: /^[\w=,; -]{1,200}$/, description: 'a value of Cache-Control, such as "max-age=300"' },
    addresses: ["files", "objects", "rules"],
    switching: ["files", "releases"],
    access: ["edge"],
    graceSeconds: { min: 0, max: 365 * day },
} as const;

/** The rules of what a purge needs to know about a CDN. */
export const purgeRules = {
    distributionId: { pattern: /^[A-Z0-9]{1,64}$/, description: 'the id of a distribution, such as "E2QWRUHAPOMQZL"' },
    zoneId: { pattern: /^[0-9a-f]{32}$/, description: "the id of a zone: 32 hexadecimal digits" },
    host: { pattern: /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i, description: 'a host name, such as "docs.example.com"' },
} as const;

/**
 * How the host finds `start.html` for `/start`, and handles redirects: `files` relies on the host's rules; `objects`
 * stores pages and redirects at both addresses; `rules` writes `_redirects` and `_headers`, which some hosts read.
 */
export type Addresses = (typeof publishRules.addresses)[number];

/**
 * How readers get another release: `files` replaces the files one by one, in an order that never shows a page without
 * its files; `releases` puts each whole release into a separate folder, and then switches to that folder.
 */
export type Switching = (typeof publishRules.switching)[number];

/** The settings of a publication. */
export interface PublishSettings {
    /** Identifies the program or person that owns the site: another owner is rejected. */
    readonly owner?: string | undefined;
    /** Publishes to a place that has other files, but no record of a site. @default false, which rejects such a place */
    readonly adopt?: boolean | undefined;
    /**
     * How many earlier releases can be served again without the platform.
     * @default the number of the last run
     */
    readonly keep?: number | undefined;
    /** Cache-Control of pages and of all files whose name does not change with their content. @default "no-cache" */
    readonly cacheControl?: string | undefined;
    /** @default "files" */
    readonly addresses?: Addresses | undefined;
    /** @default "files" */
    readonly switching?: Switching | undefined;
    /**
     * With `edge`, the host enforces the release's access.json, so that a site may have private files. Requires whole
     * releases: otherwise, files would be live for seconds under the access.json of another release.
     */
    readonly access?: (typeof publishRules.access)[number] | undefined;
    /** How long unneeded files stay, in seconds, for readers who have earlier pages open. @default a day */
    readonly graceSeconds?: number | undefined;
    /**
     * Whether the run believes the record instead of comparing it with the place, unless it creates files. Then a file
     * that somebody else has changed or removed stays as it is. @default false
     */
    readonly trustRecord?: boolean | undefined;
}

export const defaultSettings = {
    cacheControl: "no-cache",
    addresses: "files",
    switching: "files",
    graceSeconds: day,
} as const satisfies PublishSettings;

/** The settings with their defaults. */
export type CompleteSettings<Settings extends PublishSettings> = Omit<Settings, keyof typeof defaultSettings> & {
    readonly [Name in keyof typeof defaultSettings]: NonNullable<PublishSettings[Name]>;
};

export function completeSettings<Settings extends PublishSettings>(given: Settings): CompleteSettings<Settings> {
    const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    return { ...given, ...defaultSettings, ...set };
}
