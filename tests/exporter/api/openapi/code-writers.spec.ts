import assert from "node:assert/strict";
import { writers } from "../../../../exporter/src/api/openapi/code-writers.js";

const post = {
    method: "POST",
    url: "https://api.example.com/it's",
    headers: [
        ["X-Key", "<api-key>"],
        ["Content-Type", "application/json"],
    ] as const,
    body: { type: "application/json", text: '{\n  "name": "O\'Neill"\n}' },
};
const get = { ...post, method: "GET", headers: [], body: undefined };

describe("the request code in PHP, Ruby, Java and C#", () => {
    it("uses cURL and correctly escaped strings in PHP", () => {
        assert.equal(
            writers.php(post).code,
            [
                "$curl = curl_init('https://api.example.com/it\\'s');",
                "curl_setopt_array($curl, [",
                "    CURLOPT_CUSTOMREQUEST => 'POST',",
                "    CURLOPT_RETURNTRANSFER => true,",
                "    CURLOPT_HTTPHEADER => [",
                "        'X-Key: <api-key>',",
                "        'Content-Type: application/json',",
                "    ],",
                `    CURLOPT_POSTFIELDS => '{ "name": "O\\'Neill" }',`,
                "]);",
                "echo curl_exec($curl);",
            ].join("\n"),
        );
        assert.doesNotMatch(writers.php(get).code, /HTTPHEADER|POSTFIELDS/);
    });

    it("uses the request class of the method in Ruby", () => {
        assert.match(writers.ruby(post).code, /Net::HTTP::Post\.new\(uri\)\nrequest\['X-Key'\] = '<api-key>'/);
        assert.match(writers.ruby(get).code, /Net::HTTP::Get\.new\(uri\)\nresponse = /);
    });

    it("uses the built-in HTTP client in Java", () => {
        assert.match(
            writers.java(post).code,
            /\.header\("X-Key", "<api-key>"\)[\s\S]*\.method\("POST", [\w.]+\.ofString\("\{ /,
        );
        assert.match(writers.java(get).code, /\.method\("GET", HttpRequest\.BodyPublishers\.noBody\(\)\)/);
    });

    it("sets the content type on the body in C#", () => {
        const { code } = writers.csharp(post);
        assert.match(code, /request\.Headers\.TryAddWithoutValidation\("X-Key", "<api-key>"\);/);
        assert.match(code, /GetBytes\("\{ .*\nrequest\.Content = new ByteArrayContent\(/);
        assert.match(
            code,
            /request\.Content\.Headers\.TryAddWithoutValidation\("Content-Type", "application\/json"\);/,
        );
        assert.doesNotMatch(writers.csharp(get).code, /Content =/);
    });

    it("names a body's file, and surrounds it with the other parts of a form", () => {
        const parts = [
            { name: "a", text: "boundary" },
            { name: "b", file: "file" },
        ];
        const body = { type: "multipart/form-data", parts };
        assert.match(
            writers.java({ ...post, body }).code,
            /concat\(.*ofString\(.*, .*ofFile\(Path\.of\("file"\)\), .*ofString/,
        );
        assert.match(writers.php({ ...post, body }).code, /boundary=boundary-1'[^]*file_get_contents\('file'\)/);
        assert.match(writers.go({ ...post, body: { type: "image/png", file: "file" } }).code, /os\.ReadFile\("file"\)/);
    });

    it("uses a general request for a method without a class in Ruby", () => {
        assert.match(
            writers.ruby({ ...get, method: "QUERY" }).code,
            /Net::HTTPGenericRequest\.new\('QUERY', true, true, uri\)/,
        );
    });
});

describe("the request code in cURL", () => {
    it("sends the body of a request, except with HEAD, which cURL refuses to combine with a body", () => {
        assert.match(writers.curl(post).code, /--request POST[^]*O'\\''Neill/);
        const head = writers.curl({ ...post, method: "HEAD" }).code;
        assert.match(head, /--head/);
        assert.doesNotMatch(head, /Neill/);
    });
});
