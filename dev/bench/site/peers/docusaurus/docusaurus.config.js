/** Like the output of `create-docusaurus`, without the blog and the sample pages. `v4` turns Docusaurus Faster on. */
export default {
    title: "Documentation",
    url: "https://docs.example.com",
    baseUrl: "/",
    future: { v4: true },
    presets: [["classic", { docs: { path: "pages", routeBasePath: "/" }, blog: false }]],
};
