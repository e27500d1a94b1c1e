package io.credential.spring.console.internal.delivery;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import gg.jte.html.OwaspHtmlTemplateOutput;
import gg.jte.output.StringOutput;

import io.credential.spring.console.internal.templates.JteoverviewwebhooksGenerated;
import io.credential.webhook.delivery.DispatcherActivity;
import io.credential.webhook.delivery.DispatcherBacklog;

import static org.assertj.core.api.Assertions.assertThat;

/** What the overview says about the backlog, also about numbers that it does not have. */
class DispatcherOverviewTests {

    private static final DispatcherActivity ACTIVITY = new DispatcherActivity(true, Duration.ZERO, 0, 0, 0);

    @Test
    void atLeastThenOnlyIfCountingStopped() {
        DispatcherBacklog backlog = new DispatcherBacklog(1, 0, 0, null);

        assertThat(new DispatcherOverview(backlog, true, ACTIVITY, null).atLeast())
                .isEmpty();
        assertThat(new DispatcherOverview(backlog, false, ACTIVITY, null).atLeast())
                .isEqualTo("at least ");
    }

    @Test
    void largestGroupsWhenNothingWasReadThenNone() {
        assertThat(new DispatcherOverview(null, true, ACTIVITY, null).largestGroups())
                .isEmpty();
    }

    /** The list begins with the newest: the oldest would be on its last page. */
    @Test
    void oldestDueThenLinksToThoseBefore() {
        assertThat(html(Instant.parse("2026-11-30T16:00:59.999Z")))
                .contains("<a href=\"deliveries?status=pending&before=2026-11-30T16:01:00\"><time datetime=\"2026");
    }

    @Test
    void oldestDueWhenNoneIsDueThenHasNoLink() {
        assertThat(html(null)).contains(">none</b> overdue").doesNotContain("&before=");
    }

    private static String html(@Nullable Instant oldestDueAt) {
        DispatcherOverview overview =
                new DispatcherOverview(new DispatcherBacklog(1, 0, 0, oldestDueAt), true, ACTIVITY, null);
        StringOutput html = new StringOutput();
        JteoverviewwebhooksGenerated.render(new OwaspHtmlTemplateOutput(html), null, overview);
        return html.toString();
    }
}
