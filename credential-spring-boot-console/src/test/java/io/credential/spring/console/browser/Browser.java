package io.credential.spring.console.browser;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Cookie;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

import io.credential.testing.Patience;

/** A browser without a window. */
final class Browser implements AutoCloseable {

    static final int DESKTOP = 1280;

    /** A phone, or 400 % zoom on a {@link #DESKTOP}. */
    static final int NARROW = 320;

    /** 200 % zoom on a {@link #DESKTOP}. */
    static final int ZOOMED = 640;

    private static final int HEIGHT = 800;

    /** Runs before the scripts of each page. The timers of a page run only when {@link #refresh()} asks for it. */
    private static final String BEFORE_EACH_PAGE = """
            window.seen = {violations: [], hostile: 0, timers: []};
            window.hostile = () => { seen.hostile++; };
            document.addEventListener('securitypolicyviolation', (event) =>
                seen.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`));
            window.setInterval = (task, millis) => seen.timers.push({task, millis});
            """;

    private final ChromeDriver driver;
    private String session = "";

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    static Browser start(Chromium programs) {
        Browser browser = new Browser(new ChromeDriver(service(programs), options(programs)));
        browser.command("Page.addScriptToEvaluateOnNewDocument", Map.of("source", BEFORE_EACH_PAGE));
        return browser;
    }

    private static ChromeDriverService service(Chromium programs) {
        return new ChromeDriverService.Builder()
                .usingDriverExecutable(programs.driver().toFile())
                .usingAnyFreePort()
                .build();
    }

    private static ChromeOptions options(Chromium programs) {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(programs.browser().toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox", // containers seldom permit one
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--window-size=" + DESKTOP + "," + HEIGHT);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        return options;
    }

    /** Makes it as new, apart from its cookies. */
    void reset() {
        driver.switchTo().defaultContent();
        driver.get("about:blank");
        command("Storage.clearDataForOrigin", Map.of("origin", "*", "storageTypes", "local_storage"));
        command("Emulation.setScriptExecutionDisabled", Map.of("value", false));
        command("Emulation.setTimezoneOverride", Map.of("timezoneId", "UTC"));
        show(DESKTOP, Theme.LIGHT);
        messages();
    }

    /** The theme that a user prefers. */
    enum Theme {
        LIGHT,
        DARK
    }

    /** Shows pages from now on in this theme and width, in pixels of CSS. */
    void show(int width, Theme theme) {
        command(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", HEIGHT, "deviceScaleFactor", 1, "mobile", false));
        command(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of(
                                "name",
                                "prefers-color-scheme",
                                "value",
                                theme.name().toLowerCase(Locale.ROOT)))));
    }

    /** Moves to another time zone, before the next page is opened. */
    void travelTo(String zone) {
        command("Emulation.setTimezoneOverride", Map.of("timezoneId", zone));
    }

    /** Runs no scripts of pages that are opened from now on. */
    void disableScripts() {
        command("Emulation.setScriptExecutionDisabled", Map.of("value", true));
    }

    /** Opens a page. */
    void open(String url) {
        driver.get(url);
    }

    /** Opens a session in an application, unless that was done last. */
    void logIn(RunningConsole console, ConsoleUser user) {
        String wanted = user + "@" + console.application();
        if (!session.equals(wanted)) {
            logOut();
            sendHeaders(Map.of("Authorization", user.basicCredentials()));
            open(console.url() + "no/such/page");
            sendHeaders(Map.of());
            session = wanted;
            messages(); // about the page
        }
    }

    private void sendHeaders(Map<String, String> headers) {
        command("Network.enable", Map.of());
        command("Network.setExtraHTTPHeaders", Map.of("headers", headers));
    }

    /** Forgets all sessions. */
    void logOut() {
        command("Network.clearBrowserCookies", Map.of());
        session = "";
    }

    /** Fills in the login form that is shown, and sends it. */
    void fillLogin(ConsoleUser user) {
        find("input[name=username]").sendKeys(user.username());
        find("input[name=password]").sendKeys(ConsoleUser.PASSWORD + Keys.ENTER);
    }

    WebElement find(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    List<WebElement> findAll(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** Returns the visible text of the page. */
    String text() {
        return find("body").getText();
    }

    String url() {
        return driver.getCurrentUrl();
    }

    Set<Cookie> cookies() {
        return driver.manage().getCookies();
    }

    /** Sets a cookie of the server whose page is shown. */
    void setCookie(String name, String value) {
        driver.manage().addCookie(new Cookie(name, value));
    }

    /** Presses keys, wherever the focus is. */
    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** Presses Tab until such an element has the focus. Fails if it is not among the next ones that can have it. */
    void pressTabUntilFocused(String selector, int presses) {
        for (int pressed = 0; pressed < presses; pressed++) {
            press(Keys.TAB);
            if (Boolean.TRUE.equals(run("return document.activeElement.matches(arguments[0])", selector))) {
                return;
            }
        }
        throw new AssertionError("Tab does not reach " + selector + " in " + url());
    }

    void goBack() {
        driver.navigate().back();
    }

    void enterFrame() {
        driver.switchTo().frame(0);
    }

    /** Waits until the condition holds. */
    void awaitTrue(String what, BooleanSupplier condition) {
        Function<WebDriver, Boolean> holds = unused -> condition.getAsBoolean();
        new WebDriverWait(driver, Patience.LIMIT)
                .ignoring(StaleElementReferenceException.class) // the page changes meanwhile
                .withMessage(what)
                .until(holds);
    }

    /** Refreshes the page until the condition holds. */
    void refreshUntil(String what, BooleanSupplier condition) {
        awaitTrue(what, () -> {
            refresh();
            return condition.getAsBoolean();
        });
    }

    /** Runs a script in the page and returns its result. */
    @Nullable Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** Runs a script that calls its last argument when it has ended. */
    @Nullable Object runUntilDone(String script, Object... arguments) {
        driver.manage().timeouts().scriptTimeout(Patience.LIMIT);
        return driver.executeAsyncScript(script, arguments);
    }

    /** Does what the timer of the page would do now, and waits until it is done. */
    void refresh() {
        runUntilDone("seen.timers[0].task().then(arguments[0])");
    }

    /** Does what the timer of the page would do now, which may leave the page. */
    void startRefresh() {
        run("seen.timers[0].task()");
    }

    /** Returns the milliseconds between two refreshes of the page, for each of its timers. */
    List<?> timers() {
        return (List<?>) Objects.requireNonNull(run("return seen.timers.map(timer => timer.millis)"));
    }

    /** Returns what the page did against the policy, and what the browser has reported since the last call. */
    List<String> complaints() {
        List<?> violations = (List<?>) Objects.requireNonNull(run("return seen.violations"));
        return Stream.concat(violations.stream().map(Object::toString), messages().stream())
                .toList();
    }

    /** Returns how often hostile text was executed in the page. */
    long executions() {
        return (Long) Objects.requireNonNull(run("return seen.hostile"));
    }

    /** Returns the messages of the browser since the last call. */
    List<String> messages() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                .collect(Collectors.toList());
    }

    byte[] screenshot() {
        return driver.getScreenshotAs(OutputType.BYTES);
    }

    private void command(String name, Map<String, Object> parameters) {
        driver.executeCdpCommand(name, parameters);
    }

    @Override
    public void close() {
        driver.quit();
    }
}
