import { type Kind, docsFolder } from "./create-options.js";

const firstPage = `---
title: Welcome
---

This page is the file docs/index.md: change it, and the browser shows the change.

- A new file \`docs/install.md\` becomes the page \`/install\`.
- \`docs/docs.json\` can set the site's name, colours and navigation.
`;

/** Returns the files of a project without Pulumi by name. @param hasPages - whether the folder of pages exists */
export function firstFiles(kind: Kind, domain: string, hasPages: boolean): Record<string, string> {
    const scripts: Readonly<Record<Kind, Record<string, string>>> = {
        writer: {
            dev: `static-export dev ${docsFolder}`,
            build: `static-export build ${docsFolder} --output site`,
        },
        pulumi: {},
        service: { start: `static-export serve --site ${domain}=./${docsFolder}` },
    };
    return {
        ...(hasPages ? {} : { [`${docsFolder}/index.md`]: firstPage }),
        "package.json": `${JSON.stringify({ private: true, scripts: scripts[kind] }, undefined, 2)}\n`,
        ".gitignore": "node_modules/\nsite/\n.static-export/\n",
    };
}
