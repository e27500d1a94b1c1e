package io.credential.spring.console.page;

import java.net.URI;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.web.util.HtmlUtils;

import io.credential.spring.console.internal.web.Access;

import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.user;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

/** Somebody with a session, who sends the hidden fields of the page that was opened last. */
final class ConsoleVisitor {

    private static final String ADA = "ada";

    private static final String[] HIDDEN = {"form", "version"};

    private final MockMvc mvc;
    private final String name;
    private final String[] authorities;
    private final MockHttpSession session = new MockHttpSession();
    private String opened = "";

    private ConsoleVisitor(MockMvc mvc, String name, Set<Access> access) {
        this.mvc = mvc;
        this.name = name;
        this.authorities = access.stream().map(wanted -> "CREDENTIAL_" + wanted).toArray(String[]::new);
    }

    /** @param name as the audit log has it */
    static ConsoleVisitor with(MockMvc mvc, String name, Set<Access> access) {
        return new ConsoleVisitor(mvc, name, access);
    }

    static ConsoleVisitor admin(MockMvc mvc) {
        return with(mvc, ADA, EnumSet.allOf(Access.class));
    }

    /** May operate, but neither see URLs nor do what requires the authority of admins. */
    static ConsoleVisitor operator(MockMvc mvc) {
        return with(mvc, ADA, EnumSet.of(Access.VIEW, Access.OPERATE));
    }

    /** May issue and change keys. */
    static ConsoleVisitor keyManager(MockMvc mvc) {
        return with(mvc, ADA, EnumSet.of(Access.VIEW, Access.KEYS));
    }

    static ConsoleVisitor viewer(MockMvc mvc) {
        return with(mvc, ADA, EnumSet.of(Access.VIEW));
    }

    /**
     * A response.
     *
     * @param html as it was sent
     * @param location of a redirect; null if it is none
     * @param notice what the page at the location says was done; null for nothing
     */
    record Answer(
            int status,
            String html,
            @Nullable String location,
            @Nullable String notice,
            @Nullable String etag,
            @Nullable String cacheControl) {

        /** Returns where it leads to, and what is said there. */
        String redirect() {
            return location + ": " + notice;
        }

        /** Returns what a page says, without its markup. */
        String text() {
            return HtmlUtils.htmlUnescape(html.replaceAll("<[^>]*>", "")).replaceAll("\\s+", " ");
        }
    }

    /** @param path below that of the console */
    Answer open(String path) {
        Answer answer = send(get(URI.create("/credential/" + path)));
        opened = answer.html();
        return answer;
    }

    /** Takes the hidden fields of this page, which was the response to a form. */
    void continueWith(Answer page) {
        opened = page.html();
    }

    /** Returns what a page is compared with. */
    String etag(String path) {
        return Objects.requireNonNull(open(path).etag());
    }

    /** Opens a page, and returns the value of a hidden field. */
    String hiddenField(String path, String field) {
        return find(open(path).html(), "name=\"" + field + "\" value=\"([^\"]*)\"");
    }

    /** @param fields names and values, in turn */
    Answer send(String path, String... fields) {
        MockHttpServletRequestBuilder request = post("/credential/" + path).with(csrf());
        for (int i = 0; i < fields.length; i += 2) {
            request.param(fields[i], fields[i + 1]);
        }
        for (String name : HIDDEN) {
            if (opened.contains("name=\"" + name + "\"")) {
                request.param(name, find(opened, "name=\"" + name + "\" value=\"([^\"]*)\""));
            }
        }
        return send(request);
    }

    private Answer send(MockHttpServletRequestBuilder request) {
        try {
            MvcResult result = mvc.perform(request.session(session)
                            .with(user(name).authorities(AuthorityUtils.createAuthorityList(authorities))))
                    .andReturn();
            MockHttpServletResponse response = result.getResponse();
            return new Answer(
                    response.getStatus(),
                    response.getContentAsString(),
                    response.getHeader("Location"),
                    (String) result.getFlashMap().get("credential.console.notice"),
                    response.getHeader("ETag"),
                    response.getHeader("Cache-Control"));
        } catch (Exception e) {
            throw new AssertionError("The request failed", e);
        }
    }

    private static String find(String html, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(html);
        if (!matcher.find()) {
            throw new AssertionError("The page does not contain " + pattern);
        }
        return HtmlUtils.htmlUnescape(matcher.group(1));
    }
}
