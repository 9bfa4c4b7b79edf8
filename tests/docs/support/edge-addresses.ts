/** The file of a site that each address means, at every edge that looks it up. */
export const edgeAddresses = [
    ["/", "index.html"],
    ["/start", "start.html"],
    ["/start.html", "start.html"],
    ["/guide/", "guide/index.html"],
    ["/v1.2/start", "v1.2/start.html"],
    ["/changelog/v1.2", "changelog/v1.2.html"],
    ["/changelog/v1.2.0-rc.1", "changelog/v1.2.0-rc.1.html"],
    ["/changelog/2026.11", "changelog/2026.11.html"],
    ["/site.css", "site.css"],
    ["/fonts/inter.0a1b2c3d.woff2", "fonts/inter.0a1b2c3d.woff2"],
] as const;
