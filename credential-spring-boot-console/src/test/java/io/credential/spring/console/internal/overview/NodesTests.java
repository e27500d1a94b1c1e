package io.credential.spring.console.internal.overview;

import java.util.List;

import org.junit.jupiter.api.Test;

import gg.jte.html.OwaspHtmlTemplateOutput;
import gg.jte.output.StringOutput;

import io.credential.spring.console.internal.templates.JteoverviewnodesGenerated;
import io.credential.spring.operations.internal.ClusterOperations.ClusterState;

import static org.assertj.core.api.Assertions.assertThat;

/** What is shown of nodes, also of those that one application in a test does not have. */
class NodesTests {

    @Test
    void nodesWhenThisLeadsThenNoOtherLeader() {
        assertThat(html(new ClusterState("n-1", true, "n-1", "https://n-1", List.of())))
                .contains("<dd>n-1 <span class=\"state active\">leader</span>")
                .doesNotContain("<dt>Leader", "https://n-1", "All nodes");
    }

    @Test
    void nodesWhenNoneLeadsThenSaysSo() {
        assertThat(html(new ClusterState("n-1", false, null, null, List.of("n-<1>"))))
                .contains("<span class=\"state failing\">none</span></dd>", "n-&lt;1&gt;")
                .doesNotContain("<code>");
    }

    private static String html(ClusterState state) {
        StringOutput html = new StringOutput();
        JteoverviewnodesGenerated.render(new OwaspHtmlTemplateOutput(html), null, state);
        return html.toString();
    }
}
