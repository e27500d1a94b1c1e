"""Configuration of Sphinx, which `docs/site/build` calls on the root of the repository."""

import html
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive

ROOT = Path(__file__).parents[2]

# The navigation: each page but the decisions, which are found by their names. A page that is missing fails the build.
NAVIGATION = {
    "Start here": ["docs/getting-started", "docs/concepts", "sample-app/README"],
    "API keys": ["docs/api-keys", "docs/import-api-keys", "docs/from-a-key-filter"],
    "Webhooks": [
        "docs/sending-webhooks",
        "docs/operating-webhooks",
        "docs/typed-events",
        "docs/what-receivers-see",
        "docs/webhooks-in",
        "docs/webhooks-from-others",
        "docs/webhook-schemes",
        "docs/webhook-inbox",
        "docs/webhook-signatures",
        "docs/from-a-webhook-sender",
    ],
    "Operation": [
        "docs/operations",
        "docs/cluster",
        "docs/console",
        "docs/monitoring",
        "docs/performance",
        "docs/performance/README",
        "docs/upgrading",
        "CHANGELOG",
    ],
    "Your code": ["docs/testing", "docs/properties", "docs/errors", "docs/audit-events"],
    "Trust and source": [
        "docs/security",
        "SECURITY",
        "docs/architecture",
        "docs/adr/README",
        "CONTRIBUTING",
        "CODE_OF_CONDUCT",
        "RELEASING",
        "credential-benchmarks/README",
    ],
}

project = "Credential"
html_title = project
root_doc = "README"
source_suffix = {".md": "markdown"}
include_patterns = ["*.md", "docs/**.md", "*/README.md"]
exclude_patterns = [".*", "target", "*/target", "*/src", "consumer-tests"]

extensions = ["myst_parser"]
myst_heading_anchors = 6
myst_fence_as_directive = ["mermaid"]
# The pages are written for GitHub, which has no such syntax.
myst_disable_syntax = ["myst_block_break", "myst_line_comment", "myst_role", "myst_target"]
# Examples leave parts out, and need not parse.
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_static_path = ["static", str(ROOT / "target/site-build/static")]
html_favicon = "static/icon.svg"
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
templates_path = ["templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "javadoc.html",
        "sidebar/scroll-end.html",
    ]
}
html_context = {
    "javadoc": sorted(index.parents[3].name for index in ROOT.glob("credential-*/target/reports/apidocs/index.html"))
}
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
html_use_index = False


class Mermaid(Directive):
    """Leaves a diagram to `site.js`."""

    has_content = True

    def run(self):
        text = html.escape("\n".join(self.content))
        return [nodes.raw("", f'<pre class="mermaid">{text}</pre>', format="html")]


def add_navigation(app, page, source):
    """Appends what GitHub would show as text."""
    if page == root_doc:
        for caption, pages in NAVIGATION.items():
            source[0] += toctree(f":caption: {caption}", ["/" + name for name in pages])
    elif page == "docs/adr/README":
        source[0] += toctree(":glob:", ["0*"])


def toctree(option, pages):
    return "\n\n" + "\n".join(["```{toctree}", ":hidden:", option, "", *pages, "```"])


def add_mermaid(app, page, template, context, doctree):
    """Loads Mermaid, which is large, only where it is needed."""
    if doctree and any('class="mermaid"' in node.astext() for node in doctree.findall(nodes.raw)):
        app.add_js_file("mermaid.min.js", priority=400, defer="defer")


def setup(app):
    app.add_directive("mermaid", Mermaid)
    app.connect("source-read", add_navigation)
    app.connect("html-page-context", add_mermaid)
