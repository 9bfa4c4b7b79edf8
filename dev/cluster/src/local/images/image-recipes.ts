import { type ImageRecipe } from "./images.js";

const passwd = `root:x:0:0:root:/root:/bin/sh
nginx:x:101:101:nginx:/nonexistent:/bin/false
nobody:x:65534:65534:nobody:/nonexistent:/bin/false
`;

const group = `root:x:0:
nginx:x:101:
nogroup:x:65534:
`;

/** nginx writes only to /tmp, as in the image nginxinc/nginx-unprivileged, so that any user can run it. */
const nginxConfiguration = `worker_processes auto;
error_log /var/log/nginx/error.log notice;
pid /tmp/nginx.pid;

events {
    worker_connections 1024;
}

http {
    proxy_temp_path /tmp/proxy_temp;
    client_body_temp_path /tmp/client_temp;
    fastcgi_temp_path /tmp/fastcgi_temp;
    uwsgi_temp_path /tmp/uwsgi_temp;
    scgi_temp_path /tmp/scgi_temp;

    include /etc/nginx/mime.types;
    default_type application/octet-stream;

    log_format main '$remote_addr - $remote_user [$time_local] "$request" '
                    '$status $body_bytes_sent "$http_referer" "$http_user_agent"';
    access_log /var/log/nginx/access.log main;

    sendfile on;
    keepalive_timeout 65;

    include /etc/nginx/conf.d/*.conf;
}
`;

const nginxDefaultServer = `server {
    listen 8080;
    server_name localhost;

    location / {
        root /usr/share/nginx/html;
        index index.html;
    }
}
`;

/** Where the node's root folder has the Node.js of the npm registry, for an image. */
export const nodeProgram = "/usr/bin/node";

/** Applets that get a link, so that the shell finds them as programs; other applets are called as "busybox <name>". */
const applets =
    "awk basename cat chmod cp cut date dirname du echo env expr find grep gunzip gzip head id ln ls mkdir mktemp mv nc " +
    "nslookup printf pwd readlink rm rmdir sed seq sh sha256sum sleep sort stat tail tar tee test touch tr true false " +
    "uname uniq unzip wc wget which xargs zcat";

const certificates = "/etc/ssl/certs/ca-certificates.crt";

const tools = {
    programs: ["/bin/busybox"],
    copies: [certificates],
    files: { "/etc/passwd": passwd, "/etc/group": group },
    links: Object.fromEntries(applets.split(" ").map((applet) => [`/usr/bin/${applet}`, "busybox"])),
    folders: ["/root", "/run", "/tmp", "/var"],
};

/** The image whose process keeps a pod's namespaces open. */
const pause: ImageRecipe = {
    reference: "static-export.local/pause:1",
    programs: ["/bin/busybox"],
    copies: [],
    files: {},
    links: {},
    folders: [],
    user: "65534:65534",
    command: ["/bin/busybox", "tail", "-f", "/dev/null"],
    stopSignal: "SIGKILL",
};

/** Replaces node:24-alpine: Node.js, and busybox with a shell and wget. */
const node: ImageRecipe = {
    ...tools,
    reference: "static-export.local/node:1",
    programs: [...tools.programs, nodeProgram],
    user: "1000:1000",
    command: ["node"],
    stopSignal: "SIGTERM",
};

/** Replaces nginxinc/nginx-unprivileged: user 101, port 8080, with curl and a shell as in the original. */
const nginx: ImageRecipe = {
    reference: "static-export.local/nginx:1",
    programs: [...tools.programs, "/usr/bin/curl", "/usr/sbin/nginx"],
    copies: [...tools.copies, "/etc/nginx/mime.types"],
    files: {
        ...tools.files,
        "/etc/nginx/nginx.conf": nginxConfiguration,
        "/etc/nginx/conf.d/default.conf": nginxDefaultServer,
        "/usr/share/nginx/html/index.html": "<!doctype html>\n<title>nginx</title>\n<h1>nginx</h1>\n",
    },
    links: {
        ...tools.links,
        "/var/log/nginx/access.log": "/dev/stdout",
        "/var/log/nginx/error.log": "/dev/stderr",
    },
    folders: [...tools.folders, "/var/lib/nginx", "/var/log/nginx"],
    user: "101:101",
    command: ["nginx", "-g", "daemon off;"],
    stopSignal: "SIGQUIT",
};

/** The images of the local cluster, which cannot reach a registry. */
export const imageRecipes = { pause, node, nginx };
