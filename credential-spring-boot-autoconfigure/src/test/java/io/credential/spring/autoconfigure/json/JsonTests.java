package io.credential.spring.autoconfigure.json;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.core.convert.ConversionService;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.credential.apikey.ApiKeyToken;
import io.credential.ratelimit.RateLimit;
import io.credential.webhook.delivery.DeliveryStatus;

import static org.assertj.core.api.Assertions.assertThat;

/** The public records and enums in the controllers of an application that has configured nothing about JSON. */
@WebMvcTest
@AutoConfigureMockMvc(addFilters = false)
@Import(JsonApplication.ValueController.class)
class JsonTests {

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private ConversionService mvcConversionService;

    @ParameterizedTest
    @MethodSource
    void recordWhenReturnedThenLeavesOutWhatIsAbsent(Class<?> type) throws Exception {
        JsonNode json = JsonMapper.shared().readTree(body("/values/" + type.getName()));

        assertThat(json.propertyNames()).containsExactlyInAnyOrderElementsOf(presentIn(type));
    }

    static Stream<Class<?>> recordWhenReturnedThenLeavesOutWhatIsAbsent() {
        return ResultTypes.records();
    }

    private static Set<String> presentIn(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .filter(component -> !ResultTypes.mayBeAbsent(component))
                .map(RecordComponent::getName)
                .map(name -> type == RateLimit.class && name.equals("window") ? "windowSeconds" : name)
                .filter(name -> type != ApiKeyToken.class || !name.equals("secretHex"))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @MethodSource
    void enumWhenReturnedThenIsWrittenAsItsWord(Class<?> type) throws Exception {
        String word = word(ResultTypes.valueOf(type));

        assertThat(body("/values/" + type.getName())).isEqualTo("\"" + word + "\"");
    }

    static Stream<Class<?>> enumWhenReturnedThenIsWrittenAsItsWord() {
        return ResultTypes.enums();
    }

    @ParameterizedTest
    @MethodSource("enumWhenReturnedThenIsWrittenAsItsWord")
    void convertWhenGivenTheWordThenGivesTheConstant(Class<?> type) throws Exception {
        for (Object constant : type.getEnumConstants()) {
            assertThat((Object) mvcConversionService.convert(word(constant), type))
                    .isSameAs(constant);
        }
    }

    @Test
    void resultTypesThenHaveEnumsAndRecords() {
        assertThat(ResultTypes.enums()).contains(DeliveryStatus.class);
        assertThat(ResultTypes.records()).hasSizeGreaterThan(10);
    }

    @Test
    void queryParameterWhenWordIsKnownThenTakesIt() throws Exception {
        assertThat(body("/status?status=in-flight")).isEqualTo("\"in-flight\"");
        assertThat(body("/status?status=")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"in_flight", "In-Flight", "unknown"})
    void queryParameterWhenWordIsUnknownThenBadRequest(String word) {
        assertThat(mvc.get().uri("/status?status=" + word)).hasStatus(400);
    }

    @Test
    void bodyWhenWordIsKnownThenTakesIt() throws Exception {
        MvcTestResult answer = mvc.post()
                .uri("/status")
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"status\":\"in-flight\"}")
                .exchange();

        assertThat(answer).hasStatusOk().hasBodyTextEqualTo("\"in-flight\"");
    }

    @Test
    void secretBytesWhenReturnedThenWritingFails() {
        assertThat(mvc.get().uri("/secret")).hasFailed();
    }

    private String body(String uri) throws Exception {
        MvcTestResult answer = mvc.get().uri(uri).exchange();
        assertThat(answer).hasStatusOk();
        return answer.getResponse().getContentAsString();
    }

    /** The word that the enum itself gives. */
    private static String word(Object constant) throws ReflectiveOperationException {
        return (String) constant.getClass().getMethod("text").invoke(constant);
    }
}
