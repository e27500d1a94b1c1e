package io.credential.spring.console.page;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

import org.springframework.beans.factory.ObjectProvider;

import gg.jte.html.HtmlContent;

import io.credential.spring.console.internal.overview.Overview;
import io.credential.spring.console.internal.templates.JteoverviewGenerated;
import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.console.internal.web.NavigationEntry;
import io.credential.spring.console.internal.web.OverviewPart;
import io.credential.spring.console.internal.web.Reply;

/** The overview, whose parts are read for each request, so that a test need not wait until they are read again. */
final class FreshOverview implements ConsoleSection {

    static final String PATH = "fresh-overview";

    /** What it shows if nothing could be read. */
    static final String UNREAD = "unread-overview";

    private final ObjectProvider<ConsoleSection> sections;

    FreshOverview(ObjectProvider<ConsoleSection> sections) {
        this.sections = sections;
    }

    @Override
    public List<NavigationEntry> navigation() {
        return List.of();
    }

    @Override
    public void addTo(ConsoleRoutes routes) {
        routes.page(
                PATH,
                request -> show(new Overview(
                        null,
                        parts().stream().<HtmlContent>map(FreshOverview::read).toList())));
        routes.page(
                UNREAD,
                request -> show(new Overview(
                        Instant.EPOCH,
                        parts().stream()
                                .<HtmlContent>map(part -> part::renderUnread)
                                .toList())));
    }

    private static Reply show(Overview overview) {
        return Reply.page("Overview", "", (output, page) -> JteoverviewGenerated.render(output, null, overview));
    }

    /** Returns the parts in their order. */
    List<OverviewPart<?>> parts() {
        return sections.stream()
                .<OverviewPart<?>>flatMap(section -> section.overview().stream())
                .sorted(Comparator.comparingInt(OverviewPart::order))
                .toList();
    }

    private static <T> HtmlContent read(OverviewPart<T> part) {
        T value = part.read();
        return output -> part.render(output, value);
    }
}
