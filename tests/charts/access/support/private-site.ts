import { archive } from "../../support/archives.js";

/** A file of a bundle: its content, and the groups that may read it; undefined means everybody. */
export interface SiteFile {
    content: string;
    groups?: readonly string[];
}

/**
 * A site with public and private files of all kinds, for several lists of groups. All private content contains a
 * marker.
 */
export const privateSite: Record<string, SiteFile> = {
    "index.html": { content: "front" },
    "404.html": { content: "no page of this site" },
    "guides/start.html": { content: "start" },
    "guides/start.md": { content: "# start" },
    "both.html": { content: "public page beside a private folder" },
    "guides/secret.html": { content: "private: secret", groups: ["admins", "staff"] },
    "guides/secret.md": { content: "# private: secret", groups: ["admins", "staff"] },
    "guides/boss.html": { content: "private: boss", groups: ["admins"] },
    "guides/any.html": { content: "private: any", groups: [] },
    "team/index.html": { content: "private: team", groups: ["staff"] },
    "both/index.html": { content: "private: folder beside a public page", groups: ["admins"] },
    "both/below.html": { content: "private: below", groups: ["admins"] },
    "images/only-there.png": { content: "private: picture", groups: ["admins"] },
    "images/größe 1.png": { content: "private: picture with a name", groups: ["staff"] },
    "-rf.html": { content: "private: name like an option", groups: ["staff"] },
    "app.3f2a9c1d.js": { content: `private: ${"script;".repeat(200)}`, groups: ["staff"] },
    "_private/0/search.json": { content: '["private: titles"]', groups: ["staff"] },
    "odd/group.html": { content: "private: odd group", groups: ["team (a|b).*", "größe $x"] },
    "static-export/redirects.map": {
        content: '"/old" "/guides/start";\n"~^/v1/(?<p1>.*)$" "/guides/${p1}";\n',
    },
};

/** Returns the bundle's access.json, as exporters write it. */
export function accessJson(files: Record<string, SiteFile>): string {
    const lines = Object.entries(files)
        .filter(([, { groups }]) => groups !== undefined)
        .map(([name, { groups = [] }]) => `    "${name}": [${groups.map((group) => `"${group}"`).join(", ")}]`);
    const object = lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n  }`;
    return `{\n  "formatVersion": 1,\n  "files": ${object}\n}\n`;
}

export function bundleOf(files: Record<string, SiteFile>, access = accessJson(files)): Promise<Buffer> {
    return bundleWithoutAccess({ ...files, "access.json": { content: access } });
}

export function bundleWithoutAccess(files: Record<string, SiteFile>): Promise<Buffer> {
    return archive(Object.entries(files).map(([name, { content }]) => ({ name, content })));
}

/** The groups of a reader; undefined if the reader is not signed in. */
export type ReaderGroups = readonly string[] | undefined;

export function mayRead({ groups }: SiteFile, reader: ReaderGroups): boolean {
    if (groups === undefined) {
        return true;
    }
    return reader !== undefined && (groups.length === 0 || groups.some((group) => reader.includes(group)));
}
