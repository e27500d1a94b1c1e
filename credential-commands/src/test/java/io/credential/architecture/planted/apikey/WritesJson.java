package io.credential.architecture.planted.apikey;

import tools.jackson.databind.json.JsonMapper;

/** Breaks: JSON only where it is stored, and the arrows of the registry. */
public final class WritesJson {

    public String write(Object value) {
        return JsonMapper.builder().build().writeValueAsString(value);
    }
}
