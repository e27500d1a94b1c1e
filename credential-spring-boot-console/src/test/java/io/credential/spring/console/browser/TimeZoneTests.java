package io.credential.spring.console.browser;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.WebElement;

import static org.assertj.core.api.Assertions.assertThat;

/** Times are shown in the zone of the browser, which only the browser knows. */
@BrowserTest
class TimeZoneTests {

    private static final DateTimeFormatter SHOWN = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

    private final Browser browser;
    private final RunningConsole console;

    TimeZoneTests(Browser browser, RunningConsole console) {
        this.browser = browser;
        this.console = console;
        browser.logIn(console, ConsoleUser.OPERATOR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Asia/Kathmandu", "Europe/Berlin", "America/St_Johns", "UTC"})
    void timesThenAreInTheZoneOfTheBrowser(String zone) {
        browser.travelTo(zone);
        browser.open(console.url() + "deliveries");

        List<WebElement> times = browser.findAll("time");

        assertThat(times).isNotEmpty().allSatisfy(time -> {
            String utc = Objects.requireNonNull(time.getDomAttribute("datetime"));
            assertThat(time.getText()).isEqualTo(SHOWN.format(Instant.parse(utc).atZone(ZoneId.of(zone))));
            assertThat(time.getDomAttribute("title")).isEqualTo(utc).endsWith("Z");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"Asia/Kathmandu", "Europe/Berlin"})
    void zoneThenIsNamedOnce(String zone) {
        browser.travelTo(zone);
        browser.open(console.url() + "deliveries");

        String named =
                (String) Objects.requireNonNull(browser.run("return Intl.DateTimeFormat().resolvedOptions().timeZone"));

        assertThat(ZoneId.of(named).getRules()).isEqualTo(ZoneId.of(zone).getRules());
        assertThat(browser.find("#zone").getText()).isEqualTo("Times are in " + named);
        assertThat(browser.text()).containsOnlyOnce(named);
    }

    /** The same hour of the clock, an hour apart. */
    @Test
    void timesWhenClockIsTurnedBackThenDifferInTitle() {
        browser.travelTo("Europe/Berlin");
        browser.open(console.url() + "deliveries");

        List<String> hours = browser.findAll("tbody time").stream()
                .map(time -> time.getText().substring(11, 13) + " "
                        + Objects.requireNonNull(time.getDomAttribute("title")).substring(11, 13))
                .distinct()
                .toList();

        assertThat(hours).contains("02 00", "02 01");
    }

    @Test
    void timesWhenScriptIsDisabledThenAreInUtc() {
        browser.travelTo("Asia/Kathmandu");
        browser.disableScripts();
        browser.open(console.url() + "deliveries");

        assertThat(browser.find("#zone").getText()).isEqualTo("Times are in UTC");
        assertThat(browser.findAll("time"))
                .isNotEmpty()
                .allSatisfy(time -> assertThat(Objects.requireNonNull(time.getDomAttribute("datetime")))
                        .startsWith(time.getText().replace(' ', 'T')));
    }
}
