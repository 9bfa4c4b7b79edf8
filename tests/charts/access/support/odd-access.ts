import { accessJson } from "./private-site.js";

const good = accessJson({ "secret.html": { content: "private", groups: ["staff"] } });

const withSecond = (file: string) => good.replace('["staff"]', `["staff"],\n    "${file}": ["admins"]`);

/** Invalid access.json files: accepting one could expose a private file. */
export const oddAccess: { title: string; access: string; says: RegExp; isLimitOfPods?: true }[] = [
    { title: "is empty", access: "", says: /it is truncated/ },
    { title: "breaks off", access: good.slice(0, good.lastIndexOf("  }")), says: /it is truncated/ },
    { title: "goes on after its end", access: `${good}{\n`, says: /line 7 is not of the form/ },
    { title: "goes on with a word of the reader's own", access: `${good}end\n`, says: /line 7 is not of the form/ },
    { title: "is written on one line", access: '{"formatVersion": 1, "files": {}}', says: /line 1 is not of the form/ },
    { title: "is of a later format", access: good.replace("1", "2"), says: /line 2 has a format version other than 1/ },
    {
        title: "is of a much later format",
        access: good.replace("1", "12"),
        says: /line 2 has a format version other than/,
    },
    { title: "begins with a version", access: '  "formatVersion": 1,\n', says: /line 1 is not of the form/ },
    {
        title: "indents its version",
        access: good.replace('  "f', '   "f').replace("1", "2"),
        says: /line 2 is not of the form/,
    },
    {
        title: "has more on the version's line",
        access: good.replace("1,", '2, "a": 1'),
        says: /line 2 is not of the form/,
    },
    { title: "lists no files at its beginning", access: '  "files": {}\n}\n', says: /line 1 is not of the form/ },
    { title: "names itself", access: good.replace("secret.html", "access.json"), says: /line 4 names a file that the/ },
    { title: "has another key", access: good.replace('"files"', '"file"'), says: /line 3 is not of the form/ },
    { title: "has no list", access: good.replace('["staff"]', '"staff"'), says: /line 4 is not of the form/ },
    { title: "has an escape", access: good.replace("secret", "s\\u0065cret"), says: /line 4 is not of the form/ },
    { title: "has a byte of zero", access: good.replace("secret", "secret\0"), says: /line 4 is not of the form/ },
    { title: "has a tab", access: good.replace("    ", "\t"), says: /line 4 is not of the form/ },
    { title: "has a group with an escape", access: good.replace("staff", 'st\\"aff'), says: /line 4 is not of the/ },
    { title: "has an empty group", access: good.replace("staff", ""), says: /line 4 is not of the form/ },
    { title: "has a comma too many", access: good.replace("]", "],"), says: /line 5 is not of the form/ },
    {
        title: "has a comma too few",
        access: withSecond("other.html").replace("],", "]"),
        says: /line 5 is not of the/,
    },
    { title: "names a file twice", access: withSecond("secret.html"), says: /line 5 names a file again/ },
    { title: "leads out of the bundle", access: good.replace("secret", "../secret"), says: /line 4 names no path/ },
    { title: "has an absolute path", access: good.replace("secret", "/secret"), says: /line 4 names no path/ },
    { title: "has a dot segment", access: good.replace("secret", "./secret"), says: /line 4 names no path/ },
    {
        title: "has a group with the separator",
        access: good.replace("staff", "staff,x"),
        says: /line 4 names a group that contains the separator/,
        isLimitOfPods: true,
    },
    {
        title: "has a group that ends with a space",
        access: good.replace("staff", "staff "),
        says: /line 4 names a group/,
        isLimitOfPods: true,
    },
    {
        title: "has a group that is too long",
        access: good.replace("staff", "g".repeat(501)),
        says: /more than 500 bytes/,
        isLimitOfPods: true,
    },
];
