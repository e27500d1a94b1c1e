package io.credential.sample;

import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import com.fasterxml.jackson.annotation.JsonInclude;

import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.type.LogicalType;

/** What application.yml cannot say about JSON. */
@Configuration(proxyBeanMethods = false)
class SampleJson {

    /** Leaves absent optionals out, but no null that somebody put into the metadata. */
    @Bean
    JsonMapperBuilderCustomizer absentOptionalsAreLeftOut() {
        return builder -> builder.changeDefaultPropertyInclusion(
                inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL));
    }

    /** Takes no number or truth value for a text. */
    @Bean
    JsonMapperBuilderCustomizer textsAreTexts() {
        return builder -> builder.withCoercionConfig(
                LogicalType.Textual,
                coercions -> coercions
                        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
    }
}
