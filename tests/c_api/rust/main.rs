// The C interface from Rust, with declarations written by hand as a binding would have them: learns XOR on one thread, predicts on
// several that share a predictor. Exit code 1 (a panic) if anything does not hold. Compiled by rustc alone.
use std::ffi::{c_char, c_double, c_int, c_void, CStr, CString};
use std::ptr::{null, null_mut};
use std::thread;

#[repr(C)]
struct Options([u8; 0]);
#[repr(C)]
struct Rows([u8; 0]);
#[repr(C)]
struct Machine([u8; 0]);
#[repr(C)]
struct Model([u8; 0]);
#[repr(C)]
struct Predictor([u8; 0]);

type Progress = Option<extern "C" fn(user: *mut c_void, done: c_double) -> c_int>;

#[link(name = "falsum")]
extern "C" {
    fn falsum_abi_version() -> u32;
    fn falsum_last_error() -> *const c_char;
    fn falsum_options_new(options: *mut *mut Options) -> c_int;
    fn falsum_options_set(options: *mut Options, name: *const c_char, value: *const c_char) -> c_int;
    fn falsum_options_free(options: *mut Options);
    fn falsum_rows_from_bytes(bytes: *const u8, count: usize, rows: usize, features: usize, out: *mut *mut Rows) -> c_int;
    fn falsum_rows_free(rows: *mut Rows);
    fn falsum_machine_new(options: *const Options, features: usize, classes: usize, machine: *mut *mut Machine) -> c_int;
    fn falsum_machine_learn_epoch(
        machine: *mut Machine,
        rows: *const Rows,
        labels: *const u32,
        label_count: usize,
        progress: Progress,
        user: *mut c_void,
        report: *mut c_void,
    ) -> c_int;
    fn falsum_machine_model(machine: *const Machine, model: *mut *mut Model) -> c_int;
    fn falsum_machine_free(machine: *mut Machine);
    fn falsum_model_load(path: *const c_char, model: *mut *mut Model) -> c_int;
    fn falsum_model_free(model: *mut Model);
    fn falsum_predictor_new(model: *const Model, engine: *const c_char, kernels: *const c_char, predictor: *mut *mut Predictor) -> c_int;
    fn falsum_predictor_predict(predictor: *const Predictor, rows: *const Rows, threads: u32, classes: *mut u32, count: usize) -> c_int;
    fn falsum_predictor_free(predictor: *mut Predictor);
}

fn last_error() -> String {
    unsafe { CStr::from_ptr(falsum_last_error()) }.to_string_lossy().into_owned()
}

fn ok(status: c_int) {
    assert_eq!(status, 0, "{}", last_error());
}

extern "C" fn count(user: *mut c_void, done: c_double) -> c_int {
    assert!((0.0..=1.0).contains(&done));
    unsafe { *(user as *mut u32) += 1 };
    0
}

/// The header says that any number of threads may use them at once.
struct Shared(*const Predictor, *const Rows);
unsafe impl Sync for Shared {}

fn main() {
    assert_eq!(unsafe { falsum_abi_version() }, 1);
    let bits: Vec<u8> = (0..1600).map(|i| ((i / 4) >> (i % 4) & 1) as u8).collect(); // 400 rows of 4 features
    let labels: Vec<u32> = bits.chunks(4).map(|row| u32::from(row[0] ^ row[1])).collect();
    unsafe {
        let mut options = null_mut();
        ok(falsum_options_new(&mut options));
        for (name, value) in [("clauses", "20"), ("threshold", "10"), ("specificity", "3")] {
            let (name, value) = (CString::new(name).unwrap(), CString::new(value).unwrap());
            ok(falsum_options_set(options, name.as_ptr(), value.as_ptr()));
        }
        let mut rows = null_mut();
        ok(falsum_rows_from_bytes(bits.as_ptr(), bits.len(), 400, 4, &mut rows));
        let mut machine = null_mut();
        ok(falsum_machine_new(options, 4, 2, &mut machine));
        let mut calls = 0u32;
        for _ in 0..20 {
            let user = &mut calls as *mut u32 as *mut c_void;
            ok(falsum_machine_learn_epoch(machine, rows, labels.as_ptr(), labels.len(), Some(count), user, null_mut()));
        }
        assert!(calls >= 20);
        let mut model = null_mut();
        ok(falsum_machine_model(machine, &mut model));
        let mut predictor = null_mut();
        ok(falsum_predictor_new(model, null(), null(), &mut predictor));
        falsum_model_free(model); // the predictor keeps nothing of it
        falsum_machine_free(machine);
        falsum_options_free(options);

        let shared = Shared(predictor, rows);
        thread::scope(|scope| {
            for threads in 1..5 {
                let (shared, labels) = (&shared, &labels);
                scope.spawn(move || {
                    let mut predicted = vec![0u32; labels.len()];
                    ok(falsum_predictor_predict(shared.0, shared.1, threads, predicted.as_mut_ptr(), predicted.len()));
                    assert_eq!(&predicted, labels);
                });
            }
        });

        let nowhere = CString::new("nowhere.falsum").unwrap();
        assert_eq!(falsum_model_load(nowhere.as_ptr(), &mut model), 3);
        assert!(model.is_null() && last_error().contains("nowhere.falsum"));
        falsum_predictor_free(predictor);
        falsum_rows_free(rows);
    }
    println!("learned and predicted from Rust");
}
